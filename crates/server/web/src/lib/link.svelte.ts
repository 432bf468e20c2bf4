// The whole situation stands in the address, behind the #: a link holds it, and no server sees it.

import { onDestroy, onMount } from 'svelte';

export class Link {
  page = $state('play');
  params = $state.raw(new URLSearchParams());

  constructor() {
    this.read();
    addEventListener('hashchange', () => this.read());
  }

  private read() {
    const [page, query] = location.hash.replace(/^#\/?/, '').split('?');
    this.page = page || 'play';
    this.params = new URLSearchParams(query ?? '');
  }

  get(name: string, otherwise: string): string {
    return this.params.get(name) ?? otherwise;
  }

  /** Writes the situation into the address; `isStep` if "back" should lead here. */
  set(values: Record<string, string>, isStep = false) {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) if (value !== '') params.set(name, value);
    const hash = `#/${this.page}?${params}`;
    if (hash === location.hash) return;
    if (isStep) history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
    this.params = params;
  }
}

export function href(page: string, values: Record<string, string>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== '') params.set(name, value);
  return `#/${page}?${params}`;
}

export const link = new Link();

/** For a page: begins, and begins again when somebody has opened another link to it or gone back. */
export function whileShown(page: string, begin: () => void, follow: () => void, end: () => void) {
  const changed = () => {
    if (link.page === page) follow();
  };
  onMount(() => {
    addEventListener('hashchange', changed);
    begin();
  });
  onDestroy(() => {
    removeEventListener('hashchange', changed);
    end();
  });
}

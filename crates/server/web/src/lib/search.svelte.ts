// A search on the server, with everything that it has told so far.

import { isAbort, message, stream } from './api';
import type { Findings, Side } from './types';

/** Moments that are kept; of more, every second one of the earlier half goes. */
const MOST = 400;

export interface Told { move: string; seconds: number }

export class Search {
  frames = $state.raw<Findings[]>([]);
  isRunning = $state(false);
  error = $state('');
  /** Who was to move. */
  mover = $state<Side>('first');
  /** The moment that is looked at; null: the latest. */
  at = $state<number | null>(null);
  private abort: AbortController | null = null;

  now: Findings | null = $derived(
    this.frames.length === 0 ? null : this.frames[Math.min(this.at ?? Infinity, this.frames.length - 1)],
  );
  last: Findings | null = $derived(this.frames.at(-1) ?? null);
  /** The move of an engine, which tells nothing else. */
  told = $state.raw<Told | null>(null);
  best: string | null = $derived(this.told?.move ?? this.now?.best_move ?? null);

  /** Searches; resolves with the move, or null if it was stopped from here or refused. */
  async run(body: Record<string, unknown>, mover: Side): Promise<string | null> {
    this.stop();
    const abort = new AbortController();
    this.abort = abort;
    this.frames = [];
    this.told = null;
    this.at = null;
    this.error = '';
    this.mover = mover;
    this.isRunning = true;
    let found: string | null = null;
    try {
      await stream('search', { tree: true, ...body }, abort.signal, (name, value) => {
        if (abort.signal.aborted) return;
        if (name === 'move') {
          this.told = value as Told;
          found = this.told.move;
          return;
        }
        if (name === 'analyze') found = (value as Findings).best_move;
        this.add(value as Findings);
      });
    } catch (error) {
      if (!isAbort(error) && !abort.signal.aborted) this.error = message(error);
      found = null;
    }
    if (this.abort === abort) {
      this.abort = null;
      this.isRunning = false;
    }
    return found;
  }

  private add(findings: Findings) {
    let frames = [...this.frames, findings];
    if (frames.length > MOST) {
      const half = MOST / 2;
      frames = frames.filter((_, index) => index > half || index % 2 === 0);
    }
    this.frames = frames;
  }

  stop() {
    this.abort?.abort();
    this.abort = null;
    this.isRunning = false;
  }

  clear() {
    this.stop();
    this.frames = [];
    this.told = null;
    this.at = null;
    this.error = '';
  }
}

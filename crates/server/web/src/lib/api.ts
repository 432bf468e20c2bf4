// Requests to the server that the page came from; there are no others.

/** Something that the server refused, with its message. */
export class Refused extends Error {}

async function answer(response: Response): Promise<Response> {
  if (response.ok) return response;
  let message = `the server answered ${response.status}`;
  try {
    message = (await response.json()).error ?? message;
  } catch {
    // Not from the program itself.
  }
  throw new Refused(message);
}

function posted(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

export async function get<T>(path: string): Promise<T> {
  return (await answer(await fetch(`/api/${path}`))).json();
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await answer(await posted(path, body, signal))).json();
}

export async function postForText(path: string, body: unknown, signal?: AbortSignal): Promise<string> {
  return (await answer(await posted(path, body, signal))).text();
}

/** Reads events until the stream ends; an event `error` is thrown. */
export async function stream(
  path: string,
  body: unknown,
  signal: AbortSignal,
  hear: (name: string, value: unknown) => void,
): Promise<void> {
  const response = await answer(await posted(path, body, signal));
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const lines = part.split('\n');
      const name = lines.find((line) => line.startsWith('event: '))?.slice(7);
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6);
      if (name === undefined || data === undefined) continue;
      const parsed = JSON.parse(data);
      if (name === 'error') throw new Refused(parsed.error);
      hear(name, parsed);
    }
  }
}

export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

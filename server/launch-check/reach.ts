/** Whether an address answers, as far as a program can tell. */
import { codeOf } from '../error-code.ts';

/** How the outside is asked. Tests bring their own. */
export interface Outside {
  fetch: typeof globalThis.fetch;
  /** Milliseconds an answer may take. */
  timeout: number;
}

/**
 * - `there`: it answers.
 * - `gone`: it says that there is no such page (404, 410).
 * - `failing`: its server has a fault of its own (5xx).
 * - `barred`: it answers, but not to programs. What a visitor sees is not known.
 * - `late`: no answer in time.
 * - `unreachable`: no answer at all; `detail` is the system's code.
 */
export interface Reach {
  state: 'there' | 'gone' | 'failing' | 'barred' | 'late' | 'unreachable';
  detail: string;
}

/** Asks `address` once, following redirects. Never throws. */
export async function reach(address: string, { fetch, timeout }: Outside): Promise<Reach> {
  try {
    const answer = await fetch(address, {
      signal: AbortSignal.timeout(timeout),
      headers: { 'User-Agent': 'Shingle (checks the links of a site)', Accept: 'text/html,*/*' },
    });
    await answer.body?.cancel();
    return { state: stateOf(answer.status), detail: String(answer.status) };
  } catch (error) {
    const { name, cause } = error as Error;
    if (name === 'TimeoutError') return { state: 'late', detail: String(timeout) };
    return { state: 'unreachable', detail: codeOf(cause) ?? codeOf(error) ?? 'no answer' };
  }
}

function stateOf(status: number): Reach['state'] {
  if (status === 404 || status === 410) return 'gone';
  // LinkedIn's own number for programs is 999.
  if (status >= 500 && status < 600) return 'failing';
  return status < 400 ? 'there' : 'barred';
}

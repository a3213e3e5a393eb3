/** Fetching, with three kinds of failure kept apart: no answer, a refusing answer, an unreadable one. */

/** An answer that is not ok. Its message is `status: body`, or `status: status text` without a body. */
export class HttpError extends Error {
  readonly status: number;
  /** The answer's body as text. */
  readonly body: string;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.name = 'HttpError';
    this.status = status;
    this.body = body;
  }

  /** The server's own sentence, when the body is `{ "error": "…" }`. */
  get sentence(): string | undefined {
    try {
      const { error } = JSON.parse(this.body) as { error?: unknown };
      return typeof error === 'string' ? error : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Fetches with the visitor's cookies. Throws `HttpError` for an answer that is not ok. */
export async function fetchOk(address: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(address, { credentials: 'include', ...init });
  if (response.ok) return response;
  // The status stands, even if the body breaks off.
  const body = await response.text().catch(() => '');
  throw new HttpError(response.status, response.statusText, body);
}

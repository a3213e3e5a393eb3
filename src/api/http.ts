/** Fetch helpers that distinguish network failures, error responses and invalid JSON. */

/** An error response. Its message is `status: body`, or `status: status text` without a body. */
export class HttpError extends Error {
  readonly status: number;
  /** The body as JSON; undefined when it is not JSON. */
  readonly json: unknown;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.name = 'HttpError';
    this.status = status;
    this.json = parsed(body);
  }

  /** The server's message, when the body is `{ "error": "…" }`. */
  get sentence(): string | undefined {
    return textOf(this.json, 'error');
  }

  /** The stable code of the message, such as `INVALID_PASSWORD`. */
  get code(): string | undefined {
    return textOf(this.json, 'code');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(json: unknown, key: string): string | undefined {
  const value = (json as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** Fetches with cookies. Throws `HttpError` when the response is not ok. */
export async function fetchOk(address: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(address, { credentials: 'include', ...init });
  if (response.ok) return response;
  // Keep the status even when reading the body fails.
  const body = await response.text().catch(() => '');
  throw new HttpError(response.status, response.statusText, body);
}

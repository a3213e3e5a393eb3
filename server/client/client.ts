/** The client of the API for other programs, `shingle/client`. The build writes its types and package beside it. */
import { routes } from '../contract/routes.ts';

/** The default timeout of a call, in ms. */
const defaultTimeoutMs = 15_000;

interface ClientOptions {
  /** The address of the site, such as `https://www.your-domain.com`. */
  url: string;
  /** An API key; undefined: only public calls. */
  key?: string | undefined;
}

interface CallOptions {
  /** Sent as `Idempotency-Key`. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** An error response, or one that is not of the API (`code` is then undefined). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly issues: { path: string; message: string }[];
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor({ status, statusText, headers }: Response, body: string) {
    const { error, code, issues } = parsed(body);
    super(typeof error === 'string' ? error : `${status} ${statusText}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = typeof code === 'string' ? code : undefined;
    this.issues = Array.isArray(issues) ? issues : [];
    this.retryAfter = Number(headers.get('Retry-After')) || undefined;
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

type Call = (input?: object, options?: CallOptions) => Promise<unknown>;

/** Creates the client: each call of the API is a function by its name, such as `analytics.dashboard`. */
export function createClient({ url, key }: ClientOptions): Record<string, Record<string, Call>> {
  const client: Record<string, Record<string, Call>> = {};
  for (const [name, { method, path }] of Object.entries(routes)) {
    const [feature = '', call = ''] = name.split('.');
    client[feature] ??= {};
    client[feature][call] = async (input = {}, { idempotencyKey, signal } = {}) => {
      const address = new URL(path, url);
      const isGet = method === 'GET';
      for (const [field, value] of isGet ? Object.entries(input) : []) {
        if (value !== undefined) address.searchParams.set(field, value);
      }
      const timeout = AbortSignal.timeout(defaultTimeoutMs);
      const response = await fetch(address, {
        method,
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        headers: {
          ...(key !== undefined && { Authorization: `Bearer ${key}` }),
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
          ...(!isGet && { 'Content-Type': 'application/json' }),
        },
        body: isGet ? null : JSON.stringify(input),
      });
      const text = await response.text();
      if (!response.ok) throw new ApiError(response, text);
      return text === '' ? undefined : JSON.parse(text);
    };
  }
  return client;
}

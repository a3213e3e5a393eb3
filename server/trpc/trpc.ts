import { initTRPC } from '@trpc/server';
import type { Context, RequestInfo } from '../app/context.ts';
import type { Scope } from '../contract/scopes.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import type { Quota } from '../rate-limit/limiter.ts';
import { minuteMs } from '../time/units.ts';
import { ApiError, type ErrorCode, errorResponseOf, refuse } from './errors.ts';

/** Who may make a call. Without `session` and `scope`, everybody may. */
export interface Access {
  /** The signed-in admin. */
  session?: true;
  /** Programs with an API key that has this scope. Without one, no key is accepted. */
  scope?: Scope;
  /** Whether the admin must have typed the password within ten minutes. An API key is not asked. */
  isSensitive?: boolean;
}

/** What the OpenAPI document says about a call, beside its route, its schemas and who may make it. */
interface Operation {
  /** What the call does, as an imperative. */
  summary: string;
  description?: string;
  /** Codes that this call can return, beside those of all calls of its kind. */
  errors?: readonly ErrorCode[];
  /** Whether it reads an `Idempotency-Key`. */
  isIdempotent?: true;
}

export type Meta = Access & Operation;

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    errorFormatter({ shape, error }) {
      const { status, message, code: errorCode, issues, nearest } = errorResponseOf(error);
      const { code, path } = shape.data;
      return {
        ...shape,
        message,
        data: {
          code,
          errorCode,
          httpStatus: status,
          path,
          ...(issues && { issues }),
          ...(nearest && { nearest }),
        },
      };
    },
  });

export const router = t.router;

/** A procedure without authentication. */
export const publicProcedure = (operation: Operation) => t.procedure.meta(operation);

interface Limited {
  /** The rate limit per address. */
  limit?: { name: string } & Quota;
  /** Receives the reason of a rejection; `outage` means that the shared counts are unavailable. */
  onReject?: (ctx: Context, reason: 'foreign' | 'rate' | 'outage') => void;
}

/** A mutation without authentication. It rejects cross-site requests (CSRF), and those above `limit`. */
export const publicMutation = ({ limit, onReject, ...operation }: Operation & Limited) =>
  publicProcedure({
    ...operation,
    errors: [...(limit ? (['RATE_LIMITED'] as const) : []), ...(operation.errors ?? [])],
  }).use(async ({ ctx, next }) => {
    if (ctx.request.isForeign) {
      onReject?.(ctx, 'foreign');
      throw new ApiError('FOREIGN_ORIGIN');
    }
    let wait: number;
    try {
      wait = limit ? await ctx.limiter.consume(rateLimitKey(limit.name, ctx.request), limit) : 0;
    } catch (error) {
      if (storageErrorSentence(error) !== undefined) onReject?.(ctx, 'outage');
      throw error;
    }
    if (wait > 0) {
      onReject?.(ctx, 'rate');
      throw new ApiError('RATE_LIMITED', { wait });
    }
    return next();
  });

/** The rate limit key of an address for a call. */
export const rateLimitKey = (name: string, { addressBlock }: RequestInfo) =>
  `${name} ${addressBlock}`;

/**
 * Wrong keys of one address. While it is used up, only keys made here are accepted, whose 192 random bits
 * cannot be guessed: others at a shared address must not lock them out.
 */
const wrongKeyQuota: Quota = { max: 20, windowMs: 10 * minuteMs };

/** Calls with one key. */
const keyQuota: Quota = { max: 600, windowMs: minuteMs };

/**
 * Resolves when the caller has access: the admin by `session`, a program by an API key with `scope`. Rejects
 * with an `ApiError` otherwise. A request with a key is never treated as one of the admin.
 */
export async function requireAccess(
  ctx: Context,
  { session, scope, isSensitive }: Access,
): Promise<void> {
  const { bearer } = ctx.request;
  if (bearer === undefined) {
    if (!session) throw new ApiError('INVALID_KEY');
    if (!(await ctx.session.isAdmin())) throw new ApiError('UNAUTHORIZED');
    if (isSensitive && !(await ctx.session.isConfirmed())) throw new ApiError('CONFIRM_PASSWORD');
    return;
  }
  const { scopes } = await matchedKey(ctx, bearer);
  if (scope === undefined) throw new ApiError('SESSION_REQUIRED');
  if (!scopes.includes(scope)) throw new ApiError('INSUFFICIENT_SCOPE', { words: { scope } });
}

/** The API key of a request, within its rate limit. */
async function matchedKey(ctx: Context, bearer: string) {
  const { apiKeys, limiter } = ctx;
  const key = await limitWrongKeys(ctx, (isThrottled) => apiKeys.match(bearer, { isThrottled }));
  if (key === undefined) throw new ApiError('INVALID_KEY');
  refuse(await limiter.consume(`key ${key.id}`, keyQuota));
  return key;
}

/**
 * Returns what `match` finds; undefined for a wrong key, which counts. Throws `RATE_LIMITED` for a wrong one
 * when the address has used up its number, in which case `match` is called with `true`.
 */
export async function limitWrongKeys<T>(
  { limiter, request }: Pick<Context, 'limiter' | 'request'>,
  match: (isThrottled: boolean) => T | undefined | Promise<T | undefined>,
): Promise<T | undefined> {
  const wrongKeys = rateLimitKey('wrong-key', request);
  // Counts nothing: it only looks whether the quota is used up.
  const lastUse = { ...wrongKeyQuota, max: wrongKeyQuota.max - 1 };
  const wait = await limiter.consume(wrongKeys, lastUse, 0);
  const found = await match(wait > 0);
  if (found === undefined) refuse(wait || (await limiter.consume(wrongKeys, wrongKeyQuota)));
  return found;
}

const checkAccess = t.middleware(async ({ ctx, meta, next }) => {
  await requireAccess(ctx, meta ?? {});
  return next();
});

/** A procedure that requires the signed-in admin. */
export const adminProcedure = (operation: Operation) =>
  t.procedure.meta({ ...operation, session: true }).use(checkAccess);

/** A mutation that requires the signed-in admin, with CSRF protection. */
export const adminMutation = (operation: Operation & Pick<Access, 'isSensitive'>) =>
  publicMutation(operation)
    .meta({ ...operation, session: true })
    .use(checkAccess);

/** A procedure that requires the signed-in admin, or an API key with `scope`. */
export const readProcedure = (operation: Operation & { scope: Scope & `read:${string}` }) =>
  t.procedure.meta({ ...operation, session: true }).use(checkAccess);

/** A procedure that requires an API key with `scope`. While no key has it, there is no such call (404). */
export const keyProcedure = (operation: Operation & { scope: Scope }) =>
  t.procedure
    .meta(operation)
    .use(async ({ ctx, next }) => {
      if (await ctx.apiKeys.hasAny(operation.scope)) return next();
      throw new ApiError('NOT_FOUND');
    })
    .use(checkAccess);

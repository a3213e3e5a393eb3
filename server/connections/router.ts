import { z } from 'zod';
import type { Context } from '../app/context.ts';
import type { Quota } from '../rate-limit/limiter.ts';
import { count, done, isoTime, omittable } from '../text/outputs.ts';
import { isoOf } from '../time/iso.ts';
import { minuteMs } from '../time/units.ts';
import { ApiError, refuse } from '../trpc/errors.ts';
import { adminMutation, adminProcedure, router } from '../trpc/trpc.ts';
import { type ReadConnections, unreadableSentence } from './connections.ts';
import { accountOf, fieldsOf, hintOf, itemsOf } from './hints.ts';
import { setInput } from './inputs.ts';
import { clearConnection, setConnection } from './set.ts';
import { type ConnectionName, connectionNames, storedValues } from './values.ts';

/** Limits what is sent to other servers, of all the owner's browsers together. */
const trialQuota: Quota = { max: 20, windowMs: 10 * minuteMs };

const name = z.enum(connectionNames);

const checkedAt = omittable(isoTime).describe('When it last worked or failed.');
const problem = omittable(z.string()).describe('What is wrong and what to do, as a sentence.');

const connection = z
  .object({
    name,
    state: z
      .enum(['environment', 'browser', 'unset'])
      .describe('Where it is set. What the environment sets cannot be changed here.'),
    variables: omittable(z.array(z.string())).describe(
      'The variables that set it, or fields of it, which cannot be changed here.',
    ),
    hint: omittable(z.string()).describe('What is connected, without a secret.'),
    fields: omittable(storedValues.email.omit({ password: true })).describe(
      'What the owner entered for the mail server.',
    ),
    account: omittable(
      z.object({
        name: omittable(z.string()),
        hasKey: z.boolean(),
        webhook: omittable(z.enum(['site', 'owner'])).describe('Who made it at Stripe.'),
      }),
    ).describe('What is connected of the account at Stripe.'),
    lastEventAt: omittable(isoTime).describe('When the newest event of Stripe was made.'),
    items: omittable(
      z.array(
        z.object({
          id: z.string(),
          hint: z.string(),
          checkedAt,
          problem,
          busyTimes: omittable(count).describe('In the next seven days.'),
        }),
      ),
    ),
    checkedAt,
    problem,
  })
  .meta({ id: 'Connection' });

/** The procedures `connections.*`: other servers that the site works with. No response holds a secret but a new one. */
export const connectionsRouter = router({
  list: adminProcedure({ summary: 'List the connections' })
    .output(z.object({ connections: z.array(connection) }))
    .query(async ({ ctx }) => {
      const read = await ctx.connections.read();
      return {
        connections: await Promise.all(connectionNames.map((one) => listed(ctx, read, one))),
      };
    }),

  set: adminMutation({
    summary: 'Set a connection',
    description:
      'Tries the value, stores it encrypted, and responds once this instance uses it, or with a problem when it cannot yet. What was set stays when the trial fails.',
    errors: ['SET_BY_ENVIRONMENT', 'DEMO_DATA', 'RATE_LIMITED'],
    isSensitive: true,
  })
    .input(setInput)
    .output(
      z.object({
        connection,
        secret: omittable(z.string()).describe(
          'The new signing secret of the webhook. No other response holds it.',
        ),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const { connections } = ctx;
      const { name } = input;
      refuseLocked(ctx, name);
      for (const [field, variable] of Object.entries(connections.fieldsSetBy(name))) {
        if (field in input.value) throw new ApiError('SET_BY_ENVIRONMENT', { words: { variable } });
      }
      if (await ctx.isDemo()) throw new ApiError('DEMO_DATA');
      refuse(await ctx.limiter.consume('connection', trialQuota));
      const set = await setConnection(connections, input, ctx.act('connection_set', name));
      const { before, value, hint, isInUse } = set;
      const secretOf = (one: object | undefined) =>
        one && 'secret' in one ? String(one.secret) : undefined;
      const secret = secretOf(value);
      const read = await connections.read().catch(() => undefined);
      const listedNow = read && (await listed(ctx, read, name).catch(() => undefined));
      return {
        connection: {
          // The new secret is told also when nothing else can be.
          ...(listedNow ?? { ...unlisted, name }),
          hint: hint ?? listedNow?.hint,
          // This request still has the services of before.
          checkedAt: undefined,
          problem: isInUse && listedNow ? undefined : notInUse,
        },
        secret: secret === secretOf(before) ? undefined : secret,
      };
    }),

  /** It sends requests to Stripe, so other sites must not trigger it. */
  paymentLinks: adminMutation({
    summary: 'List the Payment Links at Stripe',
    errors: ['FOREIGN_ORIGIN', 'RATE_LIMITED'],
  })
    .output(
      z.object({
        links: z.array(z.object({ id: z.string(), url: z.string(), name: omittable(z.string()) })),
        problem: omittable(z.string()).describe('Why they cannot be read, as a sentence.'),
      }),
    )
    .query(async ({ ctx: { connections, limiter } }) => {
      refuse(await limiter.consume('payment-links', trialQuota));
      const links = await connections.paymentLinks();
      return typeof links === 'string'
        ? { links: [], problem: links }
        : { links, problem: undefined };
    }),

  clear: adminMutation({
    summary: 'Clear a connection',
    errors: ['SET_BY_ENVIRONMENT'],
    isSensitive: true,
  })
    .input(z.object({ name }))
    .output(done)
    .mutation(async ({ ctx, input }) => {
      refuseLocked(ctx, input.name);
      const act = ctx.act('connection_cleared', input.name);
      const value = await clearConnection(ctx.connections, input.name, act);
      // A site with made-up data calls no other server.
      if (!(await ctx.isDemo())) await ctx.connections.release({ [input.name]: value });
      return { ok: true };
    }),
});

/** Throws `SET_BY_ENVIRONMENT` when a variable sets the connection. */
function refuseLocked({ connections }: Context, name: ConnectionName) {
  const [variable] = connections.setBy(name);
  if (variable) throw new ApiError('SET_BY_ENVIRONMENT', { words: { variable } });
}

/** A connection as the API returns it. */
async function listed(
  { connections }: Context,
  { values, unreadable }: ReadConnections,
  name: ConnectionName,
) {
  const setBy = connections.setBy(name);
  const isLocked = setBy.length > 0;
  const variables = [...setBy, ...Object.values(connections.fieldsSetBy(name))];
  const isSet = isLocked || values[name] !== undefined || unreadable.includes(name);
  const health = isSet ? await connections.health(name) : {};
  return {
    name,
    state: isLocked ? ('environment' as const) : isSet ? ('browser' as const) : ('unset' as const),
    variables: variables.length > 0 ? variables : undefined,
    hint: isLocked ? undefined : hintOf(name, values),
    fields: isLocked ? undefined : fieldsOf(name, values),
    account: isLocked ? undefined : accountOf(name, values),
    lastEventAt: timeOf(health.lastEventAt),
    items: isLocked
      ? undefined
      : itemsOf(name, values)?.map((item) => {
          const { checkedAt, problem, busyTimes } = health.items?.[item.id] ?? {};
          return { ...item, checkedAt: timeOf(checkedAt), problem, busyTimes };
        }),
    checkedAt: timeOf(health.checkedAt),
    problem: unreadable.includes(name) ? unreadableSentence([name]) : health.problem,
  };
}

const unlisted = {
  ...{ state: 'browser' as const, variables: undefined, fields: undefined },
  ...{ account: undefined, lastEventAt: undefined, items: undefined },
};

const notInUse =
  'It is saved, but the site could not use it yet. It tries again by itself, every few seconds.';

const timeOf = (at: number | undefined) => (at === undefined ? undefined : isoOf(at));

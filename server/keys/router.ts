import { z } from 'zod';
import { scopes } from '../contract/scopes.ts';
import { done, isoTime } from '../text/outputs.ts';
import { storableText } from '../text/storable.ts';
import { adminMutation, adminProcedure, router } from '../trpc/trpc.ts';

/** Maximum length of a key’s name in characters. */
const maxName = 100;

const newKey = z.object(
  {
    name: storableText
      .trim()
      .min(1, 'Please give the key a name.')
      .max(maxName, `Please keep the name under ${maxName} characters.`),
    scopes: z
      .array(z.enum(scopes, `The scopes are ${scopes.join(', ')}.`))
      .min(1, 'Please choose what the key may do.')
      .max(scopes.length),
  },
  'Please send an object with name and scopes.',
);

const listOutput = z.object({
  keys: z.array(
    z.object({
      id: z.string().describe('Its first characters.'),
      name: z.string(),
      scopes: z.array(z.enum(scopes)),
      createdAt: isoTime.nullable().describe('Null when the environment sets the key.'),
      usedAt: isoTime
        .nullable()
        .describe('The last use, or up to an hour earlier; null when never or not known.'),
      isInEnvironment: z.boolean().describe('Whether CONVERSION_KEY sets it.'),
    }),
  ),
});

/** The procedures `keys.*`: the owner’s API keys for other programs. No key can call them. */
export const keysRouter = router({
  /** Without their secrets: that of the environment, then the newest first. */
  list: adminProcedure({ summary: 'List the API keys' })
    .output(listOutput)
    .query(async ({ ctx }) => ({
      keys: (await ctx.apiKeys.list()).map(({ scopes, createdAt, usedAt, ...key }) => ({
        ...key,
        scopes: [...scopes],
        createdAt: createdAt === null ? null : new Date(createdAt).toISOString(),
        usedAt: usedAt === null ? null : new Date(usedAt).toISOString(),
      })),
    })),

  create: adminMutation({
    summary: 'Create an API key',
    description: 'Only this response holds the key.',
    isSensitive: true,
  })
    .input(newKey)
    .output(z.object({ id: z.string(), key: z.string().describe('No other response holds it.') }))
    .mutation(async ({ ctx, input }) => {
      const created = await ctx.apiKeys.create(input, (id) => ctx.act('key_created', id));
      ctx.signInLog.keyCreated(created.id);
      ctx.outboxWorker?.wake();
      return created;
    }),

  /** Succeeds when it is revoked already. */
  revoke: adminMutation({ summary: 'Revoke an API key' })
    .input(z.object({ id: storableText }))
    .output(done)
    .mutation(async ({ ctx, input: { id } }) => {
      if (await ctx.apiKeys.revoke(id, ctx.act('key_revoked', id))) ctx.signInLog.keyRevoked(id);
      return { ok: true };
    }),
});

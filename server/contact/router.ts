import { z } from 'zod';
import { eachField, nounOf } from '../contract/contact-fields.ts';
import { honeypot } from '../contract/honeypot.ts';
import { en } from '../contract/words/en.ts';
import { fillWords } from '../contract/words/words.ts';
import { emailInput } from '../text/inputs.ts';
import { count, done } from '../text/outputs.ts';
import { storableText } from '../text/storable.ts';
import { clockSkew, minuteMs } from '../time/units.ts';
import { adminMutation, publicMutation, readProcedure, router } from '../trpc/trpc.ts';
import { emptySpamInput, listInput, pageOf, pageOutput, sortInput } from './inbox.ts';
import { submit } from './submission.ts';

/**
 * The input of `contact.submit`. Like those of the form, its fields have no length limits: the size of the body
 * and the daily bytes of a network bound them.
 *
 * @public The bench loads it by path.
 */
export const submission = z.object(
  {
    ...eachField(
      (name) =>
        name === 'email'
          ? emailInput
          : storableText.trim().min(1, fillWords(en.errors.fillIn, { field: nounOf(name) })),
      () => storableText.trim().nullish(),
    ),
    [honeypot]: z
      .unknown()
      .optional()
      .describe('Honeypot: a message with it is stored as spam, never rejected.'),
  },
  'Please send an object with name, email and message.',
);

/** Upper bound of the time between `receivedAt` and the commit of a message, in ms. */
const maxWriteMs = 60_000;

/** The procedures `contact.*`: the public form and the owner's inbox. */
export const contactRouter = router({
  /**
   * Responds once the message is on disk, independently of the mail server, and in the same way for a retry
   * or for spam.
   */
  submit: publicMutation({
    summary: 'Send a message',
    description: 'Responds once the message is stored. Spam gets the same response.',
    errors: ['TEXT_LIMIT_REACHED', 'FORM_UNAVAILABLE'],
    isIdempotent: true,
    limit: { name: 'contact', max: 20, windowMs: 10 * minuteMs },
  })
    .input(submission)
    .output(done)
    .mutation(async ({ ctx, input: { [honeypot]: trap, ...input } }) => {
      const fields = eachField(
        (name) => input[name],
        (name) => input[name] || null,
      );
      await submit(ctx, ctx.request, { ...fields, honeypot: trap });
      return { ok: true };
    }),

  messages: readProcedure({
    scope: 'read:messages',
    summary: 'List messages',
    description: 'Fifty a page, unread first, then the newest first.',
  })
    .input(listInput.optional())
    .output(pageOutput)
    .query(async ({ ctx, input }) => {
      const settledAt = ctx.now() - maxWriteMs - clockSkew;
      return {
        ...(await pageOf(ctx.contact, input)),
        asOf: new Date(settledAt).toISOString(),
        isMailed: ctx.outboxWorker !== undefined,
      };
    }),

  unread: readProcedure({
    scope: 'read:messages',
    summary: 'Count the unread messages in the inbox',
  })
    .output(z.object({ unread: count }))
    .query(async ({ ctx }) => ({ unread: await ctx.contact.unread() })),

  /** Only until a time, since the owner has not seen later messages. */
  emptySpam: adminMutation({ summary: 'Delete the spam received until a time' })
    .input(emptySpamInput)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      await ctx.contact.emptySpam(input.until);
      return { ok: true };
    }),

  sort: adminMutation({
    summary: 'Move messages to a folder, or mark them as read or unread',
    description: 'Unknown ids are ignored.',
  })
    .input(sortInput)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      const { ids, folder, isRead } = input;
      await ctx.contact.sort(ids, {
        ...(folder !== undefined && { folder }),
        ...(isRead !== undefined && { isRead }),
        now: ctx.now(),
      });
      return { ok: true };
    }),
});

import { z } from 'zod';
import { clockSkew } from '../database/clock-skew.ts';
import type { Quota } from '../rate-limit/limiter.ts';
import { emailAddress } from '../text/email-address.ts';
import { storableText } from '../text/storable.ts';
import type { Context } from '../trpc/context.ts';
import { adminMutation, adminProcedure, hotChange, router } from '../trpc/trpc.ts';
import { emailOf } from './email.ts';
import { isForSummary } from './flood.ts';
import { idempotentId, startedAt } from './idempotency.ts';
import { emptySpamInput, listInput, pageOf, sortInput } from './inbox.ts';
import { messageId } from './message-id.ts';
import { type Assessment, assess } from './spam.ts';
import { bytesOf, consumeQuota, consumeSpamQuota } from './spam-quota.ts';
import type { ContactMessage } from './store.ts';

/** Letters of a text that somebody wrote by hand, and of the rest. */
const longest = { name: 200, message: 100_000 };

const required = (what: string, most: number) =>
  storableText
    .trim()
    .min(1, `Please fill in ${what}.`)
    .max(most, `Please keep ${what} under ${most} letters.`);

const submission = z.object(
  {
    name: required('your name', longest.name),
    email: storableText
      .trim()
      .min(1, 'Please fill in your e-mail address.')
      // No mail server takes a longer one (RFC 5321).
      .max(254, 'Please enter an e-mail address of at most 254 letters.')
      .regex(emailAddress, 'Please enter an e-mail address such as you@example.com.'),
    company: storableText
      .trim()
      .max(longest.name, `Please keep the company under ${longest.name} letters.`)
      .nullish(),
    message: required('your message', longest.message),
    /** The field that nobody sees. Whatever stands in it, the message is kept. */
    hq7x: z.unknown().optional(),
  },
  'Please send an object with name, email and message.',
);

const hour = 60 * 60_000;

/** The longest that a message may take from its time of arrival to its commit, in ms. */
const longestWrite = 60_000;

/** More messages than one person writes from one address, and than any office does. */
const burst = { max: 5, windowMs: hour };
const flood = { max: 10, windowMs: hour };

/**
 * Keeps a visitor's message. Answers once it is on disk, whatever the mail server does, and alike
 * when the same try was kept before or it looks like spam.
 */
export const hotSubmit = hotChange({
  gate: [{ name: 'contact', max: 20, windowMs: 10 * 60_000 }],
  input: submission,
  async run({ ctx, input }) {
    const receivedAt = ctx.now();
    const message: ContactMessage = {
      id: messageId(receivedAt),
      receivedAt,
      name: input.name,
      email: input.email,
      company: input.company || null,
      message: input.message,
    };
    const bytes = bytesOf(message);
    const release = await consumeQuota(ctx, bytes);
    try {
      const isNew = await store(ctx, message, input.hq7x);
      if (!isNew) await release();
    } catch (error) {
      // Not awaited: where the database hangs, the visitor would wait for it twice.
      release().catch(() => {});
      throw error;
    }
    return { ok: true as const };
  },
});

/** Stores a message with what was found about it; false when the same submission was stored before. */
async function store(ctx: Context, message: ContactMessage, honeypot: unknown): Promise<boolean> {
  const assessment = await assessmentOf(ctx, message, honeypot);
  const { isSpam, signs } = assessment;
  if (isSpam) await consumeSpamQuota(ctx, bytesOf(message));
  const isLate = await isForSummary(ctx, assessment);
  // The owner gets one email a day about spam.
  const isMailed = ctx.outboxWorker !== undefined && !isSpam;
  const key = ctx.request.idempotencyKey;
  const isNew = await ctx.contact.add(message, {
    folder: isSpam ? 'spam' : 'inbox',
    suspicions: signs,
    email: isMailed && !isLate ? emailOf(message) : undefined,
    isForSummary: isMailed && isLate,
    idempotencyKey: key === undefined ? undefined : idempotentId(key, message),
  });
  if (isMailed) ctx.outboxWorker?.wake();
  return isNew;
}

export const contactRouter = router({
  submit: hotSubmit.procedure,

  /** The owner's messages, fifty at a time: what is unread first, the newest first. */
  messages: adminProcedure.input(listInput.optional()).query(async ({ ctx, input }) => {
    const settledAt = ctx.now() - longestWrite - clockSkew;
    return {
      ...(await pageOf(ctx.contact, input ?? { after: undefined })),
      /** Every message that came until then was stored before this page was read. */
      asOf: new Date(settledAt).toISOString(),
      /** Whether messages are mailed at all. */
      isMailed: ctx.outboxWorker !== undefined,
    };
  }),

  /** Deletes the spam that came until a moment: the owner has not seen what came later. */
  emptySpam: adminMutation.input(emptySpamInput).mutation(async ({ ctx, input }) => {
    await ctx.contact.emptySpam(input.until);
    return { ok: true as const };
  }),

  /** Puts messages into another folder, or marks them as read or unread. */
  sort: adminMutation.input(sortInput).mutation(async ({ ctx, input }) => {
    const { ids, folder, isRead } = input;
    await ctx.contact.sort(ids, {
      ...(folder !== undefined && { folder }),
      ...(isRead !== undefined && { isRead }),
      now: ctx.now(),
    });
    return { ok: true as const };
  }),
});

async function assessmentOf(
  ctx: Context,
  message: ContactMessage,
  trap: unknown,
): Promise<Assessment> {
  const { idempotencyKey } = ctx.request;
  const isBeyond = async (name: string, key: string, allowance: Quota) =>
    (await ctx.messageLimiter.consume(`contact ${name} ${key}`, allowance)) > 0;
  const { addressBlock } = ctx.request;
  // Each of them counts every message.
  const [isBurst, isFlood] = await Promise.all([
    isBeyond('burst', addressBlock, burst),
    isBeyond('flood', addressBlock, flood),
  ]);
  const begun = idempotencyKey === undefined ? undefined : startedAt(idempotencyKey);
  return assess(message, {
    honeypot: typeof trap === 'string' ? trap : undefined,
    took: begun === undefined ? undefined : message.receivedAt - begun,
    isBurst,
    isFlood,
  });
}

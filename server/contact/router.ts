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

/** Maximum lengths of the fields in characters. */
const maxLength = { name: 200, message: 100_000 };

const required = (field: string, max: number) =>
  storableText
    .trim()
    .min(1, `Please fill in ${field}.`)
    .max(max, `Please keep ${field} under ${max} characters.`);

const submission = z.object(
  {
    name: required('your name', maxLength.name),
    email: storableText
      .trim()
      .min(1, 'Please fill in your e-mail address.')
      // The longest address that SMTP allows (RFC 5321).
      .max(254, 'Please enter an e-mail address of at most 254 characters.')
      .regex(emailAddress, 'Please enter an e-mail address such as you@example.com.'),
    company: storableText
      .trim()
      .max(maxLength.name, `Please keep the company under ${maxLength.name} characters.`)
      .nullish(),
    message: required('your message', maxLength.message),
    /** Honeypot: a hidden field. A message with it is stored as spam, never rejected. */
    hq7x: z.unknown().optional(),
  },
  'Please send an object with name, email and message.',
);

const hour = 60 * 60_000;

/** Upper bound of the time between `receivedAt` and the commit of a message, in ms. */
const maxWriteMs = 60_000;

/** Messages from one address beyond what one person writes, and beyond what an office writes. */
const burstQuota = { max: 5, windowMs: hour };
const floodQuota = { max: 10, windowMs: hour };

/**
 * Stores a visitor's message. Responds once it is on disk, independently of the mail server, and in
 * the same way for a retry or for spam.
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
    const refund = await consumeQuota(ctx, bytes);
    try {
      const isNew = await store(ctx, message, input.hq7x);
      if (!isNew) await refund();
    } catch (error) {
      // Not awaited: when the database hangs, the visitor would wait for a second timeout.
      refund().catch(() => {});
      throw error;
    }
    return { ok: true as const };
  },
});

/** Stores a message and its spam assessment; false when the same submission was stored before. */
async function store(ctx: Context, message: ContactMessage, honeypot: unknown): Promise<boolean> {
  const assessment = await assessmentOf(ctx, message, honeypot);
  const { isSpam, signs } = assessment;
  if (isSpam) await consumeSpamQuota(ctx, bytesOf(message));
  const isSummarized = await isForSummary(ctx, assessment);
  // Spam is reported in one email a day.
  const isMailed = ctx.outboxWorker !== undefined && !isSpam;
  const key = ctx.request.idempotencyKey;
  const isNew = await ctx.contact.add(message, {
    folder: isSpam ? 'spam' : 'inbox',
    suspicions: signs,
    email: isMailed && !isSummarized ? emailOf(message) : undefined,
    isForSummary: isMailed && isSummarized,
    idempotencyKey: key === undefined ? undefined : idempotentId(key, message),
  });
  if (isMailed) ctx.outboxWorker?.wake();
  return isNew;
}

/** The procedures `contact.*`: the public form and the owner's inbox. */
export const contactRouter = router({
  submit: hotSubmit.procedure,

  /** Lists the messages of a folder, fifty per page: unread first, then the newest first. */
  messages: adminProcedure.input(listInput.optional()).query(async ({ ctx, input }) => {
    const settledAt = ctx.now() - maxWriteMs - clockSkew;
    return {
      ...(await pageOf(ctx.contact, input ?? { after: undefined })),
      /** Messages received until then are complete in this page: none is still being written. */
      asOf: new Date(settledAt).toISOString(),
      /** Whether a mail server is configured. */
      isMailed: ctx.outboxWorker !== undefined,
    };
  }),

  /** Deletes the spam received until a time, since the owner has not seen later messages. */
  emptySpam: adminMutation.input(emptySpamInput).mutation(async ({ ctx, input }) => {
    await ctx.contact.emptySpam(input.until);
    return { ok: true as const };
  }),

  /** Moves messages to another folder, or marks them as read or unread. */
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
  honeypot: unknown,
): Promise<Assessment> {
  const { idempotencyKey } = ctx.request;
  const isOver = async (name: string, quota: Quota) =>
    (await ctx.messageLimiter.consume(`contact ${name} ${ctx.request.addressBlock}`, quota)) > 0;
  const [isBurst, isFlood] = await Promise.all([
    isOver('burst', burstQuota),
    isOver('flood', floodQuota),
  ]);
  const loadedAt = idempotencyKey === undefined ? undefined : startedAt(idempotencyKey);
  return assess(message, {
    honeypot: typeof honeypot === 'string' ? honeypot : undefined,
    elapsedMs: loadedAt === undefined ? undefined : message.receivedAt - loadedAt,
    isBurst,
    isFlood,
  });
}

import { z } from 'zod';
import type { Context } from '../context.ts';
import { emailAddress } from '../email-address.ts';
import { storableText } from '../storable-text.ts';
import { admin, adminChange, hotChange, limitKey, router } from '../trpc.ts';
import { begunAt, draftName } from './draft.ts';
import { listInput, pageOf, sortInput } from './inbox.ts';
import { letterOf } from './letter.ts';
import { messageId } from './message-id.ts';
import { suspicionsOf } from './spam.ts';
import type { ContactMessage } from './store.ts';

const required = (what: string) => storableText.trim().min(1, `Please fill in ${what}.`);

const submission = z.object(
  {
    name: required('your name'),
    email: storableText
      .trim()
      .min(1, 'Please fill in your e-mail address.')
      .regex(emailAddress, 'Please enter an e-mail address such as you@example.com.'),
    company: storableText.trim().nullish(),
    message: required('your message'),
    /** The field that nobody sees. Whatever stands in it, the message is kept. */
    hq7x: z.unknown().optional(),
  },
  'Please send an object with name, email and message.',
);

/** More messages than one person writes: from one address, within an hour. */
const burst = { max: 5, per: 60 * 60_000 };

/**
 * Keeps a visitor's message. Answers once it is on disk, whatever the mail server does, and alike
 * when the same try was kept before or it looks like spam.
 */
export const hotSubmit = hotChange({
  gate: [{ name: 'contact', max: 20, per: 10 * 60_000 }],
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
    const suspicions = suspicionsIn(ctx, message, input.hq7x);
    // Spam is told of once a day, in one letter.
    const isMailed = ctx.postman !== undefined && suspicions.length === 0;
    const key = ctx.request.idempotencyKey;
    await ctx.contact.add(message, {
      suspicions,
      letter: isMailed ? letterOf(message) : undefined,
      draft: key === undefined ? undefined : draftName(key, message),
    });
    if (isMailed) ctx.postman?.wake();
    return { ok: true as const };
  },
});

export const contactRouter = router({
  submit: hotSubmit.procedure,

  /** The owner's messages, fifty at a time: what is unread first, the newest first. */
  messages: admin.input(listInput.optional()).query(async ({ ctx, input }) => ({
    ...(await pageOf(ctx.contact, input ?? { after: undefined })),
    /** Whether messages are mailed at all. */
    isMailed: ctx.postman !== undefined,
  })),

  /** Puts messages into another folder, or marks them as read or unread. */
  sort: adminChange.input(sortInput).mutation(async ({ ctx, input }) => {
    const { ids, folder, isRead } = input;
    await ctx.contact.sort(ids, {
      ...(folder !== undefined && { folder }),
      ...(isRead !== undefined && { isRead }),
    });
    return { ok: true as const };
  }),
});

function suspicionsIn(ctx: Context, message: ContactMessage, trap: unknown) {
  const { idempotencyKey } = ctx.request;
  const begun = idempotencyKey === undefined ? undefined : begunAt(idempotencyKey);
  return suspicionsOf(message, {
    trap: typeof trap === 'string' ? trap : undefined,
    took: begun === undefined ? undefined : message.receivedAt - begun,
    isBurst: ctx.limiter.take(limitKey('contact burst', ctx.request), burst) > 0,
  });
}

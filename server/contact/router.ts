import { z } from 'zod';
import { storableText } from '../storable-text.ts';
import { router, sameOrigin } from '../trpc.ts';
import { emailAddress } from './email-address.ts';
import { messageId } from './message-id.ts';

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
  },
  'Please send an object with name, email and message.',
);

export const contactRouter = router({
  /** Keeps a visitor's message. Answers once it is on disk, whatever the mail server does. */
  submit: sameOrigin({ name: 'contact', max: 20, per: 10 * 60_000 })
    .input(submission)
    .mutation(async ({ ctx, input }) => {
      const receivedAt = ctx.now();
      await ctx.contact.add({
        id: messageId(receivedAt),
        receivedAt,
        name: input.name,
        email: input.email,
        company: input.company || null,
        message: input.message,
      });
      return { ok: true as const };
    }),
});

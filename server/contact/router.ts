import { z } from 'zod';
import { emailAddress } from '../email-address.ts';
import { storableText } from '../storable-text.ts';
import { router, sameOrigin } from '../trpc.ts';
import { letterOf } from './letter.ts';
import { messageId } from './message-id.ts';
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
  },
  'Please send an object with name, email and message.',
);

export const contactRouter = router({
  /** Keeps a visitor's message. Answers once it is on disk, whatever the mail server does. */
  submit: sameOrigin({ name: 'contact', max: 20, per: 10 * 60_000 })
    .input(submission)
    .mutation(async ({ ctx, input }) => {
      const receivedAt = ctx.now();
      const message: ContactMessage = {
        id: messageId(receivedAt),
        receivedAt,
        name: input.name,
        email: input.email,
        company: input.company || null,
        message: input.message,
      };
      await ctx.contact.add(message, ctx.postman && letterOf(message));
      ctx.postman?.wake();
      return { ok: true as const };
    }),
});

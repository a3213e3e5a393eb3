import { z } from 'zod';
import { personAddress } from '../text/email-address.ts';
import { count } from '../text/outputs.ts';
import { storableText } from '../text/storable.ts';
import { adminMutation, adminProcedure, router } from '../trpc/trpc.ts';

const person = z.object({
  email: storableText
    .trim()
    .max(1000, 'Please enter at most 1,000 characters.')
    .regex(personAddress, 'Please enter the email address of the person.'),
});

const counts = {
  messages: count,
  calls: count,
  upcomingCalls: count.describe(
    'Those of the calls that are still to come. Erasing them tells the person nothing: cancel them first.',
  ),
  sales: count,
  stripeEvents: count.describe('Events of Stripe that name the person.'),
};

const rows = z.array(z.record(z.string(), z.unknown()));

/** The procedures `people.*`: the data of one person, by email address. Visits are not linked to a person. */
export const peopleRouter = router({
  find: adminProcedure({ summary: 'Count the data of a person' })
    .input(person)
    .output(z.object(counts))
    .query(({ ctx, input }) => ctx.people.find(input.email)),

  /** Not for other sites: each export is in the owner's log. */
  export: adminMutation({
    summary: 'Export the data of a person',
    errors: ['FOREIGN_ORIGIN'],
    isSensitive: true,
  })
    .input(person)
    .output(
      z.object({
        email: z.string(),
        messages: rows,
        bookings: rows,
        sales: rows,
        stripeEvents: rows,
      }),
    )
    .query(async ({ ctx, input }) => {
      await ctx.signInLog.downloaded(ctx.act('person_exported'));
      ctx.outboxWorker?.wake();
      return ctx.people.export(input.email);
    }),

  erase: adminMutation({
    summary: 'Erase a person',
    description:
      'Deletes their messages and calls, also those to come, without an email to the person, and removes them from sales, which stay, and from Stripe events. Backups hold them until they are deleted.',
    isSensitive: true,
  })
    .input(person)
    .output(
      z.object({
        ...counts,
        isWiped: z.boolean().describe('Whether the files of the database hold no trace any more.'),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const { found, isWiped } = await ctx.people.erase(input.email, (detail) =>
        ctx.act('person_erased', detail),
      );
      ctx.outboxWorker?.wake();
      return { ...found, isWiped };
    }),
});

import { TRPCError } from '@trpc/server';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { errorResponseOf } from './errors.ts';

it('a response that does not match its schema is an internal error without details', () => {
  const { error: cause } = z.object({ ok: z.literal(true) }).safeParse({ ok: 'secret' });
  const error = new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause });
  expect(errorResponseOf(error)).toEqual({
    status: 500,
    code: 'INTERNAL_ERROR',
    message: 'Something went wrong on our side. Please try again.',
  });
});

import { callTRPCProcedure } from '@trpc/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLocalLimiter } from '../rate-limit/limiter.ts';
import type { Context } from './context.ts';
import { errorResponseOf } from './errors.ts';
import { hotChange, router } from './trpc.ts';

/** A call that comes often, by both its ways. */
function setUp() {
  const call = hotChange({
    gate: [{ name: 'greet', max: 3, windowMs: 60_000 }],
    input: z.object({ name: z.string().trim().min(1), times: z.number().optional() }),
    async run({ input }) {
      if (input.times === 0) throw new Error('never shown');
      return { hello: input.name };
    },
  });
  const whole = router({ greet: call.procedure });
  const contextOf = (isForeign: boolean, addressBlock: string) => {
    const request = { isForeign, addressBlock };
    return { limiter: createLocalLimiter(() => 0), request } as unknown as Context;
  };
  const procedure = (raw: unknown, ctx: Context) =>
    callTRPCProcedure({
      ...{ router: whole, path: 'greet', type: 'mutation', batchIndex: 0 },
      ...{ getRawInput: async () => raw, ctx, signal: undefined },
    });
  return { direct: call.direct, procedure, contextOf };
}

const outcome = (answer: Promise<unknown>) =>
  answer.catch((error: unknown) => errorResponseOf(error));

describe('a call that comes often', () => {
  it('is answered and refused alike by its procedure and in plain steps', async () => {
    const { direct, procedure, contextOf } = setUp();
    const raw = fc.oneof(
      fc.anything(),
      fc.record(
        { name: fc.oneof(fc.string(), fc.anything()), times: fc.constantFrom(0, 1, 'x') },
        { requiredKeys: [] },
      ),
    );
    await fc.assert(
      fc.asyncProperty(raw, fc.boolean(), async (raw, isForeign) => {
        expect(await outcome(direct(raw, contextOf(isForeign, 'a')))).toEqual(
          await outcome(procedure(raw, contextOf(isForeign, 'a'))),
        );
      }),
    );
  });

  it('has one allowance for both', async () => {
    const { direct, procedure, contextOf } = setUp();
    const ctx = contextOf(false, 'a');
    const said = { name: ' Ada ' };
    expect(await direct(said, ctx)).toEqual({ hello: 'Ada' });
    expect(await procedure(said, ctx)).toEqual({ hello: 'Ada' });
    await direct(said, ctx);
    for (const way of [direct, procedure]) {
      expect(await outcome(way(said, ctx))).toMatchObject({ status: 429, retryAfter: 60 });
    }
  });
});

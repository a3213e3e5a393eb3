/** What is logged of an error is what we chose, and nothing that others put on it. */
import { expect, it } from 'vitest';
import { DatabaseUnavailable } from './database/database.ts';
import { factsOf } from './log.ts';

it('of a row that the database did not take, the code and not the row', () => {
  const refusal = Object.assign(new Error('it violates a check'), {
    code: '23514',
    detail: 'Failing row contains (Ada, ada@example.com, a secret).',
    where: 'a secret',
  });
  for (const error of [refusal, new DatabaseUnavailable(refusal)]) {
    expect(factsOf(error)).toEqual({
      type: error.constructor.name,
      message: expect.stringContaining('it violates a check'),
      stack: expect.any(String),
      code: '23514',
    });
    expect(JSON.stringify(factsOf(error))).not.toContain('secret');
  }
});

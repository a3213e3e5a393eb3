/** Of an error, only chosen properties are logged. */

import { expect, it } from 'vitest';
import { databaseUnavailable } from './errors.ts';
import { loggedError } from './log.ts';

it('a rejected row is logged with its error code and without its content', () => {
  const refusal = Object.assign(new Error('it violates a check'), {
    code: '23514',
    detail: 'Failing row contains (Ada, ada@example.com, a secret).',
    where: 'a secret',
  });
  for (const error of [refusal, databaseUnavailable(refusal)]) {
    expect(loggedError(error)).toEqual({
      type: error.constructor.name,
      message: expect.stringContaining('it violates a check'),
      stack: expect.any(String),
      code: '23514',
    });
    expect(JSON.stringify(loggedError(error))).not.toContain('secret');
  }
});

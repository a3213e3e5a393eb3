import { expect, it } from 'vitest';
import { freshStores } from '../testing/engines.ts';
import { createApiKeys } from './api-keys.ts';

const { stores } = freshStores();

it('an API key is accepted while its use cannot be stored, which the next use tries again', async () => {
  const attempts: ((error: Error) => void)[] = [];
  const keys = createApiKeys({
    store: {
      ...stores.keys,
      // A disk that hangs, then fails.
      setUsedAt: () => new Promise<void>((_, reject) => attempts.push(reject)),
    },
    conversionKey: undefined,
    now: () => 1,
  });
  const { id, key } = await keys.create({ name: 'Zapier', scopes: ['read:bookings'] });
  for (let n = 0; n < 3; n++) expect(await keys.match(key)).toMatchObject({ id });
  expect(attempts).toHaveLength(1);
  attempts[0]?.(new Error('disk I/O error'));
  await expect.poll(() => keys.match(key).then(() => attempts.length)).toBe(2);
});

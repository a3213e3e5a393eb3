import { describe, expect, it } from 'vitest';
import { type Database, run } from '../../database/database.ts';
import { engines, freshStores } from '../../testing/engines.ts';
import { dayMs } from '../../time/units.ts';
import { compareCounters } from './compare.ts';

describe.each(engines)('on $name', (engine) => {
  const { stores, withDatabase } = freshStores(engine);

  it('comparison of counters reports no difference while old events are deleted', async () => {
    const day = Date.UTC(2026, 2, 10);
    const view = { activity: 'page_view', button: null, source: null } as const;
    await stores.analytics.importEvents(
      [day, day + 1, day + 300 * dayMs].map((at) => ({ ...view, at })),
    );
    await withDatabase(async (database) => {
      // Another instance deletes the first of two events of an hour after the first snapshot.
      const read: Database['read'] = async (transaction) => {
        const result = await database.read(transaction);
        await database.write(function* () {
          yield* run('INSERT INTO event_horizon (id, at) VALUES (1, ?) ON CONFLICT DO NOTHING', [
            day + dayMs,
          ]);
          yield* run('DELETE FROM event WHERE at = ?', [day]);
        });
        return result;
      };
      expect(await compareCounters({ read })).toMatchObject({ differences: [] });
    });
  });
});

/** All processes of a site book each time once. */
import { expect, it } from 'vitest';
import { engines } from '../engines.ts';
import { browser } from '../site.ts';
import { seedPassword, startServer } from './server-process.ts';

const isLong = Boolean(process.env.TEST_LONG);
const requests = isLong ? 1000 : 200;
const processes: Record<string, number> = { SQLite: 1, PostgreSQL: isLong ? 4 : 2 };

it.each(engines)(
  `one of ${requests} requests for one time is booked, by all processes on $name`,
  async (engine) => {
    const database = await engine.create();
    await seedPassword({ DATA_DIR: '', ...database.env });
    const env = { ...database.env, TRUST_PROXY: '1' };
    const servers = await Promise.all(
      Array.from({ length: processes[engine.name] ?? 0 }, () => startServer(env)),
    );
    const origins = servers.map(({ origin }) => origin);
    const [first = ''] = origins;
    const { days } = await (await fetch(`${first}/api/booking/slots?call=strategy-call`)).json();
    const start = days[1].slots[0];
    const statuses = await Promise.all(
      Array.from({ length: requests }, async (_, n) => {
        const origin = origins[n % origins.length] ?? '';
        const response = await fetch(`${origin}/api/bookings`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': browser,
            origin,
            'x-forwarded-for': `10.${n >> 8}.${n & 255}.1`,
          },
          body: JSON.stringify({
            call: 'strategy-call',
            start,
            name: 'Ada',
            email: `${n}@example.com`,
          }),
        });
        return response.status;
      }),
    );
    for (const { child } of servers) child.kill('SIGTERM');
    await Promise.all(servers.map(({ ended }) => ended));
    const stores = await database.open();
    const booked = await stores.bookings.list({ state: 'upcoming', now: 0, limit: 10 });
    await stores.close();
    await database.remove();
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(requests - 1);
    expect(booked).toHaveLength(1);
  },
  120_000,
);

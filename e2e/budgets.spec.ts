import { arrivalsAt, bytesOf, isLater, requestsOf, untouchedVisit } from './network-bytes.ts';
import { openDashboard } from './screens.ts';
import { expect, test } from './site.ts';

const kB = 1000;

test('the landing page stays within its budgets two seconds after it loaded, untouched', async ({
  page,
}) => {
  const arrivals = await untouchedVisit(page, '/');

  await test.step('at most 2 kB of JavaScript', () => {
    expect(bytesOf(arrivals, 'Script')).toBeGreaterThan(0);
    expect(bytesOf(arrivals, 'Script')).toBeLessThanOrEqual(2 * kB);
  });

  await test.step('at most 12 kB of HTML and CSS', () => {
    expect(bytesOf(arrivals, 'Document')).toBeGreaterThan(0);
    expect(bytesOf(arrivals, 'Document', 'Stylesheet')).toBeLessThanOrEqual(12 * kB);
  });

  await test.step('at most 45 kB of fonts', () => {
    expect(bytesOf(arrivals, 'Font')).toBeGreaterThan(0);
    expect(bytesOf(arrivals, 'Font')).toBeLessThanOrEqual(45 * kB);
  });

  await test.step('at most 5 requests, its icon included', async () => {
    expect(await requestsOf(page, arrivals)).toHaveLength(5);
  });
});

test('the dashboard needs at most 150 kB of JavaScript for its figures, and the rest comes later', async ({
  page,
  site,
}) => {
  const arrivals = await arrivalsAt(page);
  await openDashboard(page, site);
  await expect.poll(() => arrivals.filter(isLater)).toHaveLength(1);
  const later = arrivals.filter(isLater);
  const first = bytesOf(arrivals, 'Script') - bytesOf(later, 'Script');
  expect(first).toBeGreaterThan(50 * kB);
  expect(first).toBeLessThanOrEqual(150 * kB);
});

/** Prints what the dashboard shows, reports a sale, and refunds it. */
import { ApiError, createClient, type Sale } from 'shingle/client';

const { SHINGLE_URL: url = 'http://localhost:3000', SHINGLE_KEY: key } = process.env;
const shingle = createClient({ url, key });

const { currency, summary, conversions, unread } = await shingle.analytics.dashboard();
console.log(`${summary.pageViews} page views, ${summary.conversions} sales`);
console.log(`${summary.totalRevenue} ${currency}, ${unread} unread messages`);

const { sources } = await shingle.analytics.breakdown({ timeZone: 'Europe/Berlin' });
for (const { source, merged, revenue } of sources) {
  console.log(`${source ?? (merged ? `${merged} others` : 'direct')}: ${revenue} ${currency}`);
}

const amountOf = ({ conversionValue, refunded = 0 }: Sale) => conversionValue - refunded;
console.log(`Cents of the latest sales: ${conversions.map(amountOf).join(', ') || 'none'}`);

const { bookings } = await shingle.booking.list({ state: 'upcoming' });
for (const { start, name } of bookings) console.log(`${start} ${name}`);

// Running it again counts nothing twice: the id is the same sale.
const sale = { id: 'example-1', amount: 4900, currency: 'USD', source: 'example' };
await shingle.analytics.importConversion(sale);
await shingle.analytics.importConversion({ ...sale, refunded: 4900 });

try {
  await shingle.analytics.rows({ kind: 'sale', startDate: 'yesterday' });
} catch (error) {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION') throw error;
  console.log(`${error.status} ${error.code}: ${error.issues[0]?.message}`);
}

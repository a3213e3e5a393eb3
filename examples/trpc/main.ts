/** Prints what the dashboard shows and reports a refunded sale, by tRPC. */
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import type { AppRouter } from 'shingle/trpc';

const { SHINGLE_URL: origin = 'http://localhost:3000', SHINGLE_KEY: key } = process.env;
const headers = { authorization: `Bearer ${key}` };
const url = `${origin}/api/trpc`;
const links = [httpBatchLink({ url, headers, maxItems: 8 })];
const shingle = createTRPCClient<AppRouter>({ links });

const [{ summary, currency }, { unread }] = await Promise.all([
  shingle.analytics.dashboard.query(),
  shingle.contact.unread.query(),
]);
console.log(
  `${summary.conversions} sales, ${summary.totalRevenue} ${currency}, ${unread} unread messages`,
);

const sale = { id: 'example-1', amount: 4900, currency: 'USD', refunded: 4900 };
const { ok } = await shingle.analytics.importConversion.mutate(sale);
console.log(`Reported: ${ok}`);

try {
  await shingle.analytics.rows.query({ kind: 'sale', startDate: 'yesterday' });
} catch (error) {
  if (!(error instanceof TRPCClientError)) throw error;
  const { data }: TRPCClientError<AppRouter> = error;
  console.log(`${data?.errorCode}: ${data?.issues?.[0]?.path}`);
}

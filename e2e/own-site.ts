/** A site in the test's own process, for which servers of this machine are public. */
import { register } from 'node:module';
import type { TestSite } from '../server/testing/site.ts';
import { openTestStripe, type TestStripe } from '../server/testing/stripe/api.ts';
import { site as config } from '../site.config.ts';
import { test as base } from './site.ts';

register('./raw-text.mjs', import.meta.url);

/** Opens the built site, whose Stripe is the test server. */
async function openOwn(stripe: TestStripe): Promise<TestSite> {
  // Static imports would come before the hook.
  const [{ sitePages }, { settingsVariables }, { createLog }, { openTestSite }, { certificate }] =
    await Promise.all([
      import('../server/app/site-pages.ts'),
      import('../server/http/pages/settings-variables.ts'),
      import('../server/log.ts'),
      import('../server/testing/site.ts'),
      import('../server/testing/certificate.ts'),
    ]);
  const log = createLog('silent', { pretty: false });
  return openTestSite({
    config,
    pages: sitePages('dist', { built: config, settings: settingsVariables, log }),
    overrides: {
      stripeEndpoint: stripe.endpoint,
      outbound: { isAllowed: (address) => address === '127.0.0.1', ca: certificate },
    },
  });
}

export const test = base.extend<{ stripe: TestStripe; own: TestSite }>({
  stripe: async ({ engine: _ }, use) => {
    const stripe = await openTestStripe();
    stripe.account = { ...stripe.account, settings: { dashboard: { display_name: 'Ada Brook' } } };
    await use(stripe);
    stripe.close();
  },
  own: async ({ stripe }, use) => {
    const own = await openOwn(stripe);
    await use(own);
    await own.close();
  },
  baseURL: ({ own }, use) => use(own.origin),
});

/** Baseline: Express with tRPC's own adapter and the site's input schemas. It stores nothing. */
import { initTRPC } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express from 'express';
import { runnerImport } from 'vite';

const { module: contact } = await runnerImport('./server/contact/router.ts');
const { module: analytics } = await runnerImport('./server/analytics/router.ts');

const { procedure, router } = initTRPC.create();
const baseline = router({
  submit: procedure.input(contact.submission).mutation(() => ({ ok: true })),
  record: procedure.input(analytics.activity).mutation(() => {}),
});
const app = express();
app.use('/api/trpc', createExpressMiddleware({ router: baseline }));
app.listen(Number(process.env.PORT), '127.0.0.1');

import { analyticsRouter } from '../analytics/router.ts';
import { authRouter } from '../auth/router.ts';
import { bookingRouter } from '../booking/router.ts';
import { connectionsRouter } from '../connections/router.ts';
import { contactRouter } from '../contact/router.ts';
import { siteRouter } from '../content/router.ts';
import { keysRouter } from '../keys/router.ts';
import { peopleRouter } from '../people/router.ts';
import { settingsRouter } from '../settings/router.ts';
import { setupRouter } from '../setup/router.ts';
import { router } from '../trpc/trpc.ts';

export const appRouter = router({
  contact: contactRouter,
  booking: bookingRouter,
  auth: authRouter,
  analytics: analyticsRouter,
  settings: settingsRouter,
  keys: keysRouter,
  connections: connectionsRouter,
  people: peopleRouter,
  site: siteRouter,
  setup: setupRouter,
});

export type AppRouter = typeof appRouter;

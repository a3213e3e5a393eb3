import type { RouteTable } from './route-table.ts';

/**
 * Maps each tRPC procedure to its REST call. The server mounts the REST adapter from it and the
 * client's link makes its calls from it; a missing, extra or wrong row is a compile error.
 */
export const routes = {
  'contact.submit': { method: 'POST', path: '/api/contact' },
  'contact.messages': { method: 'GET', path: '/api/messages' },
  'contact.emptySpam': { method: 'POST', path: '/api/messages/empty-spam' },
  'contact.sort': { method: 'POST', path: '/api/messages' },
  'auth.login': { method: 'POST', path: '/api/admin/login' },
  'auth.signInWithLink': { method: 'POST', path: '/api/admin/sign-in-link' },
  'auth.logout': { method: 'POST', path: '/api/admin/logout' },
  'analytics.dashboard': { method: 'GET', path: '/api/analytics/dashboard' },
  'analytics.breakdown': { method: 'GET', path: '/api/analytics/breakdown' },
  'analytics.rows': { method: 'GET', path: '/api/analytics/rows' },
  'analytics.record': { method: 'POST', path: '/api/activity' },
  'analytics.importConversion': { method: 'POST', path: '/api/conversions' },
} as const satisfies RouteTable;

export type ProcedurePath = keyof typeof routes;

import type { RouteTable } from './route-table.ts';

/**
 * Maps each tRPC procedure to its REST call. The server mounts the REST adapter from it and the
 * client's link makes its calls from it; a missing, extra or wrong row is a compile error.
 */
export const routes = {
  'contact.submit': { method: 'POST', path: '/api/contact' },
  'contact.messages': { method: 'GET', path: '/api/messages' },
  'contact.unread': { method: 'GET', path: '/api/messages/unread' },
  'contact.emptySpam': { method: 'POST', path: '/api/messages/empty-spam' },
  'contact.sort': { method: 'POST', path: '/api/messages' },
  'booking.slots': { method: 'GET', path: '/api/booking/slots' },
  'booking.create': { method: 'POST', path: '/api/bookings', returns: true },
  'booking.change': { method: 'POST', path: '/api/bookings/change', returns: true },
  'booking.list': { method: 'GET', path: '/api/bookings' },
  'booking.note': { method: 'POST', path: '/api/bookings/note' },
  'booking.block': { method: 'POST', path: '/api/bookings/block' },
  'booking.unblock': { method: 'POST', path: '/api/bookings/unblock' },
  'auth.login': { method: 'POST', path: '/api/admin/login' },
  'auth.signInWithLink': { method: 'POST', path: '/api/admin/sign-in-link' },
  'auth.logout': { method: 'POST', path: '/api/admin/logout' },
  'auth.confirm': { method: 'POST', path: '/api/admin/confirm' },
  'auth.changePassword': { method: 'POST', path: '/api/admin/password' },
  'auth.log': { method: 'GET', path: '/api/admin/log' },
  'auth.sessions': { method: 'GET', path: '/api/admin/sessions' },
  'auth.endSession': { method: 'POST', path: '/api/admin/sessions/end' },
  'auth.endOtherSessions': { method: 'POST', path: '/api/admin/sessions/end-others' },
  'settings.status': { method: 'GET', path: '/api/settings/status' },
  'settings.launchCheck': { method: 'GET', path: '/api/settings/launch-check' },
  'settings.networkCheck': { method: 'GET', path: '/api/settings/network-check' },
  'settings.email': { method: 'GET', path: '/api/settings/email' },
  'settings.backups': { method: 'GET', path: '/api/settings/backups' },
  'settings.sendTestEmail': { method: 'POST', path: '/api/settings/test-email' },
  'site.draft': { method: 'GET', path: '/api/site/draft' },
  'site.save': { method: 'POST', path: '/api/site/draft', returns: true },
  'site.publish': { method: 'POST', path: '/api/site/publish', returns: true },
  'site.discard': { method: 'POST', path: '/api/site/discard', returns: true },
  'site.versions': { method: 'GET', path: '/api/site/versions' },
  'site.restore': { method: 'POST', path: '/api/site/restore', returns: true },
  'keys.list': { method: 'GET', path: '/api/keys' },
  'keys.create': { method: 'POST', path: '/api/keys', returns: true },
  'keys.revoke': { method: 'POST', path: '/api/keys/revoke' },
  'analytics.dashboard': { method: 'GET', path: '/api/analytics/dashboard' },
  'analytics.breakdown': { method: 'GET', path: '/api/analytics/breakdown' },
  'analytics.months': { method: 'GET', path: '/api/analytics/months' },
  'analytics.rows': { method: 'GET', path: '/api/analytics/rows' },
  'analytics.settleDoubt': { method: 'POST', path: '/api/analytics/doubts' },
  'analytics.previewImport': {
    method: 'POST',
    path: '/api/analytics/import/preview',
    returns: true,
  },
  'analytics.importSales': { method: 'POST', path: '/api/analytics/import', returns: true },
  'analytics.record': { method: 'POST', path: '/api/activity' },
  'analytics.importConversion': { method: 'POST', path: '/api/conversions' },
} as const satisfies RouteTable;

export type ProcedurePath = keyof typeof routes;

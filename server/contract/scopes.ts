/** What an API key can be allowed to do. */
export const scopes = [
  'read:analytics',
  'read:messages',
  'read:bookings',
  'write:conversions',
] as const;

export type Scope = (typeof scopes)[number];

/** The calls that can be booked, by their names in addresses and responses. */
export const callNames = ['strategy-call', 'inbox-review'] as const;

export type CallName = (typeof callNames)[number];

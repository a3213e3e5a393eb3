/** What a connection leads to, in words without a secret. */
import { addressId } from '../text/address-id.ts';
import type { ConnectionName, StoredValue, StoredValues } from './values.ts';

const hostOf = (address: string) => new URL(address).hostname;

/** The last four characters of a secret, by which its owner knows it again. */
const ending = (secret: string) => `…${secret.slice(-4)}`;

const hints: {
  [Name in ConnectionName]: (value: StoredValue<Name>) => string | undefined;
} = {
  email: ({ host, user }) => (user === undefined ? host : `${user} at ${host}`),
  stripe: ({ key, webhookSecret = '' }) =>
    key === undefined ? `Webhook ${ending(webhookSecret)}` : `Key ${ending(key)}`,
  busyCalendars: () => undefined,
  webhook: ({ url }) => hostOf(url),
  calcom: ({ webhookSecret }) => ending(webhookSecret),
  calendly: ({ webhookSecret }) => ending(webhookSecret),
};

export const hintOf = (name: ConnectionName, values: StoredValues): string | undefined =>
  values[name] && hints[name](values[name] as never);

/** What the owner entered, without a secret. */
export function fieldsOf(name: ConnectionName, { email }: StoredValues) {
  if (name !== 'email' || email === undefined) return undefined;
  const { password: _, ...fields } = email;
  return fields;
}

/** Whose account at Stripe it is, and who has made its webhook. */
export function accountOf(name: ConnectionName, { stripe }: StoredValues) {
  if (name !== 'stripe' || stripe === undefined) return undefined;
  const { accountName, key, webhookSecret, endpoint } = stripe;
  const madeBy = endpoint === undefined ? ('owner' as const) : ('site' as const);
  return {
    name: accountName,
    hasKey: key !== undefined,
    webhook: webhookSecret === undefined ? undefined : madeBy,
  };
}

/** The entries of a connection that has several. */
export const itemsOf = (name: ConnectionName, { busyCalendars }: StoredValues) =>
  name === 'busyCalendars'
    ? busyCalendars?.addresses.map((address) => ({ id: addressId(address), hint: hostOf(address) }))
    : undefined;

/** What a connection becomes by what the owner enters. */
import { randomBytes } from 'node:crypto';
import { addressId } from '../text/address-id.ts';
import type { SetInput } from './inputs.ts';
import { type ConnectionName, isSameLogin, type StoredValue, type StoredValues } from './values.ts';

type Value<Name extends ConnectionName> = Extract<SetInput, { name: Name }>['value'];

type Change<Name extends ConnectionName> = (
  before: StoredValue<Name> | undefined,
) => StoredValue<Name> | undefined;

const changes: { [Name in ConnectionName]: (value: Value<Name>) => Change<Name> } = {
  // The stored password must not go to another server.
  email: (value) => (before) => ({
    ...value,
    password:
      value.password ?? (before && isSameLogin(before, value) ? before.password : undefined),
  }),
  // A secret that the owner brings is of an endpoint that the site has not made, or is a new one of its own.
  stripe: (value) => (before) => ({
    ...before,
    ...('webhookSecret' in value && {
      ...{ endpoint: undefined, replaced: before?.endpoint ?? before?.replaced },
    }),
    ...value,
  }),
  busyCalendars: (value) => (before) => {
    const others = (before?.addresses ?? []).filter((address) =>
      'add' in value ? address !== value.add : addressId(address) !== value.remove,
    );
    const addresses = 'add' in value ? [...others, value.add] : others;
    return addresses.length > 0 ? { addresses } : undefined;
  },
  webhook: ({ url }) => {
    const fresh = `whsec_${randomBytes(32).toString('base64')}`;
    return (before) => ({ url, secret: before?.url === url ? before.secret : fresh });
  },
  calcom: (value) => () => value,
  calendly: (value) => () => value,
};

/** The change that an input makes. */
export const changeOf = ({ name, value }: SetInput): Change<ConnectionName> =>
  // The value has the type of its name.
  (changes[name] as (value: never) => Change<ConnectionName>)(value as never);

/** Whether an input keeps a part of what is stored, so that it would lose what cannot be read. */
export function keepsPart({ name, value }: SetInput): boolean {
  if (name === 'email') return value.user !== undefined && value.password === undefined;
  return name === 'busyCalendars' || name === 'stripe';
}

/** What to try of a changed connection: of calendars only the new one; undefined when there is nothing to try. */
export function trialOf(
  { name, value }: SetInput,
  changed: StoredValues[ConnectionName],
): StoredValues[ConnectionName] {
  // Of a pasted secret nothing can be tried, but it may make an endpoint of the site useless.
  if (name === 'stripe') return 'key' in value ? changed : { ...changed, key: undefined };
  if (name !== 'busyCalendars') return changed;
  return 'add' in value ? { addresses: [value.add] } : undefined;
}

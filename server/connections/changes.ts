/** What a connection becomes by what the owner enters. */
import { randomBytes } from 'node:crypto';
import { addressId } from '../text/address-id.ts';
import type { SetInput } from './inputs.ts';
import type { ConnectionName, StoredValue, StoredValues } from './values.ts';

type Value<Name extends ConnectionName> = Extract<SetInput, { name: Name }>['value'];

type Change<Name extends ConnectionName> = (
  before: StoredValue<Name> | undefined,
) => StoredValue<Name> | undefined;

const changes: { [Name in ConnectionName]: (value: Value<Name>) => Change<Name> } = {
  // The stored password must not go to another server.
  email: (value) => (before) => {
    const isSame = before?.host === value.host && before.user === value.user;
    return { ...value, password: value.password ?? (isSame ? before.password : undefined) };
  },
  // A secret that the owner brings is of an endpoint that the site has not made.
  stripe: (value) => (before) => ({
    ...before,
    ...('webhookSecret' in value && { endpoint: undefined }),
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

/** The change that an input makes. It can be made again on another value. */
export const changeOf = ({ name, value }: SetInput): Change<ConnectionName> =>
  // The value has the type of its name.
  (changes[name] as (value: never) => Change<ConnectionName>)(value as never);

/** What to try of a changed connection: of calendars only the new one; undefined when there is nothing new. */
export function trialOf(
  { name, value }: SetInput,
  changed: StoredValues[ConnectionName],
): StoredValues[ConnectionName] {
  if (name !== 'busyCalendars') return changed;
  return 'add' in value ? { addresses: [value.add] } : undefined;
}

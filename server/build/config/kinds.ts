/**
 * The field types of `site.config.ts`. Their error messages continue a sentence that starts with the
 * name of the field, and address readers who do not program.
 */
import { z } from 'zod';
import { datesOf, durationMs, isDate, parseHours } from '../../booking/calls.ts';
import { emailAddress, withAsciiDomain } from '../../text/email-address.ts';
import { isLoopback } from '../../text/loopback.ts';
import { dayMs } from '../../time/units.ts';
import { isTimeZone } from '../../time/zone.ts';

type Shape = Record<string, z.ZodType>;

/** The part of zod's issue that the messages use. */
interface Issue {
  input?: unknown;
}

const unless =
  (rule: string) =>
  ({ input }: Issue) =>
    input === undefined ? 'is missing' : `${rule}, not ${formatted(input)}`;

/** Formats a value as the owner may have written it. */
function formatted(value: unknown): string {
  if (Array.isArray(value)) return 'a list in [square brackets]';
  if (typeof value === 'object' && value !== null) return 'a group in {curly brackets}';
  return typeof value === 'string' ? `"${value}"` : String(value);
}

const string = z
  .string({ error: unless('must be a text between quotes') })
  .refine((value) => !value.includes('{{'), {
    error: 'must not have {{ in it: that has a meaning of its own',
    abort: true,
  });

/** A group of fields in curly brackets, all required and no others allowed. */
export const group = <T extends Shape>(shape: T) =>
  z.strictObject(shape, { error: unless('must be a group in {curly brackets}') });

/** A text of at most `max` characters, the space that the design has for it, or '' for none. */
export const optionalText = (max: number) =>
  string.refine((value) => value.length <= max, {
    error: ({ input }) =>
      `is ${String(input).length} characters long; its place has room for ${max}`,
  });

/** A text of 1 to `max` characters. */
export const text = (max: number) =>
  string
    .refine((value) => value.trim() !== '', { error: 'must not be empty', abort: true })
    .pipe(optionalText(max));

/** A colour as six digits, such as #1D4ED8. */
export const colour = () =>
  string.refine((value) => /^#[0-9a-f]{6}$/i.test(value), {
    error: unless('must be a colour such as #1D4ED8'),
  });

/** An email address with a domain that has a dot. */
export const email = () =>
  string.refine((value) => emailAddress.test(withAsciiDomain(value)) && value.includes('.'), {
    error: unless('must be an e-mail address such as me@my-domain.com'),
  });

/** A web address: https, or http on this computer. */
export const link = () =>
  string.refine(isWebAddress, { error: unless('must be a web address such as https://…') });

/** A web address, or '' for none. */
export const optionalLink = () =>
  string.refine((value) => value === '' || isWebAddress(value), {
    error: unless("must be a web address such as https://…, or '' for none"),
  });

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value) || /\s/.test(value)) return false;
  const { protocol, hostname } = new URL(value);
  // Other characters have a meaning of their own in a Content-Security-Policy.
  if (!/^([a-z\d.-]+|\[[\da-f:]+\])$/.test(hostname)) return false;
  if (protocol === 'http:') return isLoopback(value);
  return protocol === 'https:' && (hostname.includes('.') || hostname === 'localhost');
}

/** The path of a picture in the folder `public`, or '' for none. `exists` looks it up there. */
export const photo = (exists: (path: string) => boolean) =>
  string
    .refine((value) => value === '' || /^\/[^\s?#]+\.(jpe?g|png|webp|avif|svg)$/i.test(value), {
      error: unless("must be a picture such as '/me.jpg', or '' for none"),
      abort: true,
    })
    .refine((value) => value === '' || exists(value), {
      error: ({ input }) => `is "${input}", but there is no such picture in the folder public`,
    });

/** A web address, the path of a script in the folder `public`, or '' for none. */
export const script = (exists: (path: string) => boolean) =>
  string
    .refine((value) => value === '' || isWebAddress(value) || /^\/[^\s?#]+\.js$/.test(value), {
      error: unless(
        "must be a web address such as https://…, a file such as '/opt-in.js', or '' for none",
      ),
      abort: true,
    })
    .refine((value) => !value.startsWith('/') || exists(value), {
      error: ({ input }) => `is "${input}", but there is no such file in the folder public`,
    });

/** Attributes of a tag that neither run nor load anything: an id, data and `other`. */
export const attributes = (other: 'class' | 'type') =>
  z
    .record(z.string(), optionalText(200), { error: unless('must be a group in {curly brackets}') })
    .superRefine((values, context) => {
      for (const name of Object.keys(values).filter(
        (name) => name !== other && !/^(data-[a-z\d-]+|id)$/.test(name),
      )) {
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `must be 'id', '${other}' or begin with 'data-'`,
        });
      }
    });

/** The web address of a host, without a path. */
export const host = () =>
  string.refine((value) => isWebAddress(value) && new URL(value).origin === value, {
    error: unless('must be the address of a host such as https://app.kit.com'),
  });

/** The fragment of a link, such as `cost` in /#faq-cost. */
export const id = () =>
  string.refine((value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value), {
    error: unless('must be made of small letters, digits and dashes'),
  });

/** The id of a Payment Link of Stripe. */
export const paymentLink = () =>
  string.refine((value) => /^plink_\w+$/.test(value), {
    error: unless("must be the id of a Payment Link, such as 'plink_1AbC'"),
  });

/** An IANA time zone. */
export const timeZone = () =>
  string.refine(isTimeZone, { error: unless('must be a time zone such as Europe/London') });

/** An ISO 4217 currency. */
export const currency = () =>
  string.refine((value) => Intl.supportedValuesOf('currency').includes(value), {
    error: unless("must be the code of a currency, such as 'USD'"),
  });

/** A whole number from `least` to `most`. */
export const whole = (least: number, most: number) => {
  const error = unless(`must be a whole number from ${least} to ${most}`);
  return z.int({ error }).min(least, { error }).max(most, { error });
};

/** A duration of at most `days` days. */
export const duration = (days: number) =>
  string.refine((value) => (durationMs(value) ?? Number.NaN) <= days * dayMs, {
    error: unless(
      `must be a time such as '15 minutes', '12 hours' or '3 days', up to ${days} days`,
    ),
  });

const hourRange = string.refine((value) => parseHours(value) !== undefined, {
  error: unless("must be hours such as '10:00-12:30'"),
});

/** The hours of one day. */
export const hours = () => list(hourRange, { of: 'times', least: 0, most: 12 });

/** Hours of single dates. */
export const hoursByDate = () =>
  z
    .record(z.string(), hours(), { error: unless('must be a group in {curly brackets}') })
    .superRefine((dates, context) => {
      for (const date of Object.keys(dates).filter((date) => !isDate(date))) {
        context.addIssue({
          code: 'custom',
          path: [date],
          message: "must be a date such as '2026-12-24'",
        });
      }
    });

/** A date, or the first and the last date of a range. */
export const dates = () =>
  string.refine((value) => datesOf(value) !== undefined, {
    error: unless("must be a date such as '2026-12-24', or two such as '2026-12-24/2027-01-01'"),
  });

interface Length {
  /** Plural name of the entries, for messages. */
  of: string;
  least: number;
  most: number;
}

/** A list of `least` to `most` entries of one type. */
export const list = <T extends z.ZodType>(kind: T, { of, least, most }: Length) =>
  z
    .array(kind, { error: unless('must be a list in [square brackets]') })
    .refine(({ length }) => length >= least && length <= most, {
      error: ({ input }) => {
        const has = `it has ${(input as unknown[]).length}`;
        if (least === most) return `needs exactly ${least} ${of}, ${has}`;
        return `needs ${least} to ${most} ${of}, ${has}`;
      },
    });

/** A list of exactly `count` entries. */
export const exactly = <T extends z.ZodType>(count: number, of: string, kind: T) =>
  list(kind, { of, least: count, most: count });

/** Requires the ids of a list of groups to be unique. */
export const withOwnIds = <T extends z.ZodType<{ id: string }[]>>(entries: T) =>
  entries.superRefine((groups, context) => {
    groups.forEach(({ id }, i) => {
      const first = groups.findIndex((other) => other.id === id);
      if (first === i) return;
      context.addIssue({ code: 'custom', path: [i, 'id'], message: `is "${id}" once more` });
    });
  });

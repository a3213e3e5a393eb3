/**
 * The kinds of fields `site.config.ts` is made of. Their messages are the rest of a sentence that
 * begins with the field's name, for somebody who has never programmed.
 */
import { z } from 'zod';
import { emailAddress } from '../../text/email-address.ts';

type Shape = Record<string, z.ZodType>;

/** What zod tells an error's message about. */
interface Found {
  input?: unknown;
}

const unless =
  (rule: string) =>
  ({ input }: Found) =>
    input === undefined ? 'is missing' : `${rule}, not ${shown(input)}`;

/** A value as the owner may have written it. */
function shown(value: unknown): string {
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

/** A group of fields in curly brackets. It has all of them and no others. */
export const group = <T extends Shape>(shape: T) =>
  z.strictObject(shape, { error: unless('must be a group in {curly brackets}') });

/** A text of 1 to `max` letters: what its place has room for. */
export const text = (max: number) =>
  string
    .refine((value) => value.trim() !== '', { error: 'must not be empty', abort: true })
    .refine((value) => value.length <= max, {
      error: ({ input }) =>
        `is ${String(input).length} letters long; its place has room for ${max}`,
    });

/** A colour as six digits, such as #1D4ED8. */
export const colour = () =>
  string.refine((value) => /^#[0-9a-f]{6}$/i.test(value), {
    error: unless('must be a colour such as #1D4ED8'),
  });

export const email = () =>
  string.refine((value) => emailAddress.test(value) && value.includes('.'), {
    error: unless('must be an e-mail address such as me@my-domain.com'),
  });

/** An address on the web. Plain http is for a program on the same machine. */
export const link = () =>
  string.refine(isWebAddress, { error: unless('must be a web address such as https://…') });

/** An address on the web, or '' for none. */
export const optionalLink = () =>
  string.refine((value) => value === '' || isWebAddress(value), {
    error: unless("must be a web address such as https://…, or '' for none"),
  });

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value) || /\s/.test(value)) return false;
  const { protocol, hostname } = new URL(value);
  if (protocol === 'http:') return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  return protocol === 'https:' && (hostname.includes('.') || hostname === 'localhost');
}

/** The address of a picture in the folder `public`, or '' for none. `isThere` knows its files. */
export const photo = (isThere: (path: string) => boolean) =>
  string
    .refine((value) => value === '' || /^\/[^\s?#]+\.(jpe?g|png|webp|avif|svg)$/i.test(value), {
      error: unless("must be a picture such as '/me.jpg', or '' for none"),
      abort: true,
    })
    .refine((value) => value === '' || isThere(value), {
      error: ({ input }) => `is "${input}", but there is no such picture in the folder public`,
    });

/** The end of a link, such as `cost` in /#faq-cost. */
export const id = () =>
  string.refine((value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value), {
    error: unless('must be made of small letters, digits and dashes'),
  });

interface Length {
  /** What its entries are called, in the plural. */
  of: string;
  least: number;
  most: number;
}

/** A list of entries of one kind, of a length that the design has room for. */
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

/** A list that the design needs to be exactly `count` long. */
export const exactly = <T extends z.ZodType>(count: number, of: string, kind: T) =>
  list(kind, { of, least: count, most: count });

/** Adds to a list of groups that no two have the same `id`. */
export const withOwnIds = <T extends z.ZodType<{ id: string }[]>>(entries: T) =>
  entries.superRefine((found, context) => {
    found.forEach(({ id }, i) => {
      const first = found.findIndex((other) => other.id === id);
      if (first === i) return;
      context.addIssue({ code: 'custom', path: [i, 'id'], message: `is "${id}" once more` });
    });
  });

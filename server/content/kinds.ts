/**
 * The field types of the site's document. Each rule has its sentence in two voices, for readers who do not program:
 * that of the file `site.config.ts` continues a sentence that starts with the field's name and shows how the file is
 * written; that of the form stands alone, below the field.
 */
import { z } from 'zod';
import { datesOf, durationMs, isDate, parseHours } from '../booking/calls.ts';
import type { PhotoUse } from '../contract/photos.ts';
import { languages } from '../contract/words/words.ts';
import { emailAddress, withAsciiDomain } from '../text/email-address.ts';
import { isLoopback } from '../text/loopback.ts';
import { dayMs } from '../time/units.ts';
import { isTimeZone } from '../time/zone.ts';

type Shape = Record<string, z.ZodType>;

/** Whether there is a file at a path of the site for this use; a sentence of the form says why a photo is not fit for it. */
export type Exists = (path: string, use: PhotoUse | 'script') => boolean | string;

type Sentence = string | ((input: unknown) => string);

/** What to say where a rule is broken. */
type Sentences = { file: Sentence; form: Sentence };

export type Voice = keyof Sentences;

/** The sentence that follows `must be`, and the one of the form; the file's also shows the value. */
const mustBe = (file: string, form: string): Sentences => ({ file: unless(file), form });

const unless = (rule: string) => (input: unknown) =>
  input === undefined ? 'is missing' : `must be ${rule}, not ${formatted(input)}`;

/** Formats a value as the owner may have written it. */
function formatted(value: unknown): string {
  if (Array.isArray(value)) return 'a list in [square brackets]';
  if (typeof value === 'object' && value !== null) return 'a group in {curly brackets}';
  return typeof value === 'string' ? `"${value}"` : String(value);
}

/** Of values of another type. A form sends none, but a group may lack a field. */
const types: Record<string, Sentences> = {
  string: mustBe('a text between quotes', 'Please fill this in.'),
  array: mustBe('a list in [square brackets]', 'Please add an entry.'),
  object: mustBe('a group in {curly brackets}', 'Please fill this in.'),
  record: mustBe('a group in {curly brackets}', 'Please fill this in.'),
};

/** The messages of a schema made of these types, as the `error` of its parser. */
export const inVoice =
  (voice: Voice): z.core.$ZodErrorMap =>
  (issue) => {
    const says =
      issue.code === 'invalid_type'
        ? types[issue.expected]
        : (issue.params as Sentences | undefined);
    const sentence = says?.[voice];
    return typeof sentence === 'function' ? sentence(issue.input) : sentence;
  };

/** A rule that stops the check of the value where it is broken. */
const firmly = (says: Sentences) => ({ params: says, abort: true });
const rule = (says: Sentences) => ({ params: says });

const string = z.string().refine(
  (value) => !value.includes('{{'),
  firmly({
    file: 'must not have {{ in it: that has a meaning of its own',
    form: 'Please write this without {{, which has a meaning of its own.',
  }),
);

/** A group of fields in curly brackets, all required and no others allowed. */
export const group = <T extends Shape>(shape: T) => z.strictObject(shape);

/** What a form needs to know of a field beside its rules. */
export const traits = z.object({
  kind: z.enum([
    'group',
    'list',
    'text',
    'email',
    'link',
    'photo',
    'script',
    'attributes',
    'host',
    'id',
    'paymentLink',
    'colour',
    'timeZone',
    'currency',
    'language',
    'number',
    'duration',
    'hours',
    'hoursByDate',
    'dates',
  ]),
  max: z.int().optional().describe('Characters of a text.'),
  least: z.int().optional().describe('Of a number, or of the entries of a list.'),
  most: z.int().optional().describe('As `least`; days of a duration.'),
  options: z.array(z.string()).optional().describe('The values of a language.'),
  optional: z.literal(true).optional().describe('The field may be empty.'),
  shape: z
    .enum(['portrait', 'face', 'icon'])
    .optional()
    .describe('Of a photo: 4:5 of a portrait, else square.'),
});

type Traits = z.infer<typeof traits>;

const registry = z.registry<Traits>();

/** The traits of a part of the schema; undefined for one that no form shows. */
export function traitsOf(part: z.core.$ZodType): Traits | undefined {
  const schema = part instanceof z.ZodOptional ? part.def.innerType : part;
  return schema instanceof z.ZodObject ? { kind: 'group' } : registry.get(schema);
}

const upTo = (max: number) =>
  string.refine(
    (value) => value.length <= max,
    rule({
      file: (input) => `is ${String(input).length} characters long; its place has room for ${max}`,
      form: (input) =>
        `This is ${String(input).length} characters long, and its place has room for ${max}.`,
    }),
  );

/** A text of at most `max` characters, the space that the design has for it, or '' for none. */
export const optionalText = (max: number) =>
  upTo(max).register(registry, { kind: 'text', max, optional: true });

/** A text that files of older releases have, and nothing shows. */
export const unusedText = () => string.optional();

/** A text of 1 to `max` characters. */
export const text = (max: number) =>
  string
    .refine(
      (value) => value.trim() !== '',
      firmly({ file: 'must not be empty', form: 'Please fill this in.' }),
    )
    .pipe(upTo(max))
    .register(registry, { kind: 'text', max });

/** A text of 1 to `max` characters that keeps the places for values, such as {name}, that `original` has. */
export const textLike = (original: string, max: number) => {
  const places = original.match(/\{\w+\}/g) ?? [];
  const kept = `keep ${places.join(' and ')}, where a value is put in`;
  return text(max)
    .refine(
      (value) => places.every((place) => value.includes(place)),
      rule({ file: `must ${kept}`, form: `Please ${kept}.` }),
    )
    .register(registry, { kind: 'text', max });
};

/** A colour as six digits, such as #1D4ED8. */
export const colour = () =>
  string
    .refine(
      (value) => /^#[0-9a-f]{6}$/i.test(value),
      rule(mustBe('a colour such as #1D4ED8', 'Please choose a colour such as #1D4ED8.')),
    )
    .register(registry, { kind: 'colour' });

/** An email address with a domain that has a dot. */
export const email = () =>
  string
    .refine(
      (value) => emailAddress.test(withAsciiDomain(value)) && value.includes('.'),
      rule(
        mustBe(
          'an email address such as me@my-domain.com',
          'Please enter an email address such as me@my-domain.com.',
        ),
      ),
    )
    .register(registry, { kind: 'email' });

/** A web address: https, or http on this computer. */
export const link = () =>
  string
    .refine(
      isWebAddress,
      rule(
        mustBe('a web address such as https://…', 'Please enter a web address such as https://….'),
      ),
    )
    .register(registry, { kind: 'link' });

/** A web address, or '' for none. */
export const optionalLink = () =>
  string
    .refine(
      (value) => value === '' || isWebAddress(value),
      rule(
        mustBe(
          "a web address such as https://…, or '' for none",
          'Please enter a web address such as https://…, or leave this empty.',
        ),
      ),
    )
    .register(registry, { kind: 'link', optional: true });

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value) || /\s/.test(value)) return false;
  const { protocol, hostname } = new URL(value);
  // Other characters have a meaning of their own in a Content-Security-Policy.
  if (!/^([a-z\d.-]+|\[[\da-f:]+\])$/.test(hostname)) return false;
  if (protocol === 'http:') return isLoopback(value);
  return protocol === 'https:' && (hostname.includes('.') || hostname === 'localhost');
}

/** The paths of pictures that browsers show, and of those that an icon can be drawn from. */
const shown = /^\/[^\s?#]+\.(jpe?g|png|webp|avif|svg)$/i;
const drawable = /^\/[^\s?#]+\.(jpe?g|png)$/i;

/** The path of an uploaded photo or of a picture in the folder `public`, or '' for none. `exists` looks it up. */
export const photo = (shape: PhotoUse, exists: Exists) =>
  string
    .refine(
      (value) => value === '' || (shape === 'icon' ? drawable : shown).test(value),
      firmly(
        shape === 'icon'
          ? mustBe(
              "a JPEG or PNG, such as '/icon.png', or '' for none",
              'Please choose a JPEG or PNG, or none.',
            )
          : mustBe(
              "a picture such as '/me.jpg', or '' for none",
              'Please choose a picture, or none.',
            ),
      ),
    )
    .refine(
      (value) => value === '' || exists(value, shape) === true,
      rule({
        file: (input) => `is "${input}", but there is no such picture in the folder public`,
        form: (input) => {
          const why = exists(String(input), shape);
          return typeof why === 'string'
            ? why
            : 'This picture is not on the server. Please choose another one, or none.';
        },
      }),
    )
    .register(registry, { kind: 'photo', shape, optional: true });

/** A web address, the path of a script in the folder `public`, or '' for none. */
export const script = (exists: Exists) =>
  string
    .refine(
      (value) => value === '' || isWebAddress(value) || /^\/[^\s?#]+\.js$/.test(value),
      firmly(
        mustBe(
          "a web address such as https://…, a file such as '/opt-in.js', or '' for none",
          'Please enter a web address such as https://…, or leave this empty.',
        ),
      ),
    )
    .refine(
      (value) => !value.startsWith('/') || exists(value, 'script') === true,
      rule({
        file: (input) => `is "${input}", but there is no such file in the folder public`,
        form: 'This file is not on the server. Please enter a web address such as https://….',
      }),
    )
    .register(registry, { kind: 'script', optional: true });

/** Attributes of a tag that neither run nor load anything: an id, data and `other`. */
export const attributes = (other: 'class' | 'type') =>
  z
    .record(z.string(), optionalText(200))
    .superRefine(
      eachKey((name) => name === other || /^(data-[a-z\d-]+|id)$/.test(name), {
        file: `must be 'id', '${other}' or begin with 'data-'`,
        form: `The name of an attribute must be id, ${other} or begin with data-.`,
      }),
    )
    .register(registry, { kind: 'attributes' });

/** A check that every key of a record is valid. */
function eachKey(isValid: (key: string) => boolean, says: Sentences) {
  return (values: Record<string, unknown>, context: z.core.$RefinementCtx) => {
    for (const key of Object.keys(values).filter((key) => !isValid(key))) {
      context.addIssue({ code: 'custom', path: [key], params: says });
    }
  };
}

/** The web address of a host, without a path. */
export const host = () =>
  string
    .refine(
      (value) => isWebAddress(value) && new URL(value).origin === value,
      rule(
        mustBe(
          'the address of a host such as https://app.kit.com',
          'Please enter the address of a host such as https://app.kit.com.',
        ),
      ),
    )
    .register(registry, { kind: 'host' });

/** The fragment of a link, such as `cost` in /#faq-cost. */
export const id = () =>
  string
    .refine(
      (value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value),
      rule(
        mustBe(
          'made of small letters, digits and dashes',
          'Please use small letters, digits and dashes only.',
        ),
      ),
    )
    .register(registry, { kind: 'id' });

/** The id of a Payment Link of Stripe. */
export const paymentLink = () =>
  string
    .refine(
      (value) => /^plink_\w+$/.test(value),
      rule(
        mustBe(
          "the id of a Payment Link, such as 'plink_1AbC'",
          'Please enter the id of a Payment Link, such as plink_1AbC.',
        ),
      ),
    )
    .register(registry, { kind: 'paymentLink' });

/** An IANA time zone. */
export const timeZone = () =>
  string
    .refine(
      isTimeZone,
      rule(
        mustBe(
          'a time zone such as Europe/London',
          'Please choose a time zone such as Europe/London.',
        ),
      ),
    )
    .register(registry, { kind: 'timeZone' });

/** An ISO 4217 currency. */
export const currency = () =>
  string
    .refine(
      (value) => Intl.supportedValuesOf('currency').includes(value),
      rule(
        mustBe(
          "the code of a currency, such as 'USD'",
          'Please choose the code of a currency, such as USD.',
        ),
      ),
    )
    .register(registry, { kind: 'currency' });

/** A language that there are words for. */
export const language = () =>
  string
    .refine(
      (value) => Object.hasOwn(languages, value),
      rule(mustBe(`one of ${Object.keys(languages).join(', ')}`, 'Please choose a language.')),
    )
    .register(registry, { kind: 'language', options: Object.keys(languages) });

/** A whole number from `least` to `most`. */
export const whole = (least: number, most: number) =>
  z
    .custom<number>(
      (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
      rule(
        mustBe(
          `a whole number from ${least} to ${most}`,
          `Please enter a whole number from ${least} to ${most}.`,
        ),
      ),
    )
    .register(registry, { kind: 'number', least, most });

/** A duration of at most `days` days. */
export const duration = (days: number) =>
  string
    .refine(
      (value) => (durationMs(value) ?? Number.NaN) <= days * dayMs,
      rule(
        mustBe(
          `a time such as '15 minutes', '12 hours' or '3 days', up to ${days} days`,
          `Please enter a time such as 15 minutes, 12 hours or 3 days, up to ${days} days.`,
        ),
      ),
    )
    .register(registry, { kind: 'duration', most: days });

const hourRange = string.refine(
  (value) => parseHours(value) !== undefined,
  rule({
    file: unless("hours such as '10:00-12:30'"),
    form: (input) => {
      const [, start = '', end = ''] = /^(\d\d:\d\d) ?[-–] ?(\d\d:\d\d)$/.exec(String(input)) ?? [];
      return end < start
        ? 'The end of these hours is before their start.'
        : 'Please enter hours such as 10:00-12:30.';
    },
  }),
);

/** The hours of one day. */
export const hours = () =>
  list(hourRange, { of: 'times', least: 0, most: 12 }).register(registry, { kind: 'hours' });

/** Hours of single dates. */
export const hoursByDate = () =>
  z
    .record(z.string(), hours())
    .superRefine(
      eachKey(isDate, {
        file: "must be a date such as '2026-12-24'",
        form: 'Please enter a date such as 2026-12-24.',
      }),
    )
    .register(registry, { kind: 'hoursByDate' });

/** A date, or the first and the last date of a range. */
export const dates = () =>
  string
    .refine(
      (value) => datesOf(value) !== undefined,
      rule(
        mustBe(
          "a date such as '2026-12-24', or two such as '2026-12-24/2027-01-01'",
          'Please enter a date such as 2026-12-24, or two such as 2026-12-24/2027-01-01.',
        ),
      ),
    )
    .register(registry, { kind: 'dates' });

interface Length {
  /** Plural name of the entries, for messages. */
  of: string;
  least: number;
  most: number;
}

/** A list of `least` to `most` entries of one type. */
export const list = <T extends z.ZodType>(kind: T, { of, least, most }: Length) => {
  const needed =
    least === most ? `needs exactly ${least} ${of}` : `needs ${least} to ${most} ${of}`;
  const has = (input: unknown) => (input as unknown[]).length;
  return z
    .array(kind)
    .refine(
      ({ length }) => length >= least && length <= most,
      rule({
        file: (input) => `${needed}, it has ${has(input)}`,
        form: (input) => `This ${needed}, and has ${has(input)}.`,
      }),
    )
    .register(registry, { kind: 'list', least, most });
};

/** A list of exactly `count` entries. */
export const exactly = <T extends z.ZodType>(count: number, of: string, kind: T) =>
  list(kind, { of, least: count, most: count });

/** Requires the ids of a list of groups to be unique. */
export const withOwnIds = <T extends z.ZodType<{ id: string }[]>>(entries: T) =>
  entries.superRefine((groups, context) => {
    groups.forEach(({ id }, i) => {
      const first = groups.findIndex((other) => other.id === id);
      if (first === i) return;
      const says: Sentences = {
        file: `is "${id}" once more`,
        form: 'Another entry has this already. Please write another one.',
      };
      context.addIssue({ code: 'custom', path: [i, 'id'], params: says });
    });
  });

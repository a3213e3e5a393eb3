/** What the owner enters for each connection. */
import { z } from 'zod';
import { emailInput, hostName } from '../text/inputs.ts';
import { storableText } from '../text/storable.ts';

/** The longest host name (RFC 1035), login and address, in characters. */
const maxHost = 253;
const maxLogin = 500;
const maxAddress = 2000;

const text = (max: number, missing: string) =>
  storableText.trim().min(1, missing).max(max, `Please enter at most ${max} characters.`);

const shortText = (max: number) =>
  storableText.trim().max(max, `Please enter at most ${max} characters.`);

const address = (protocols: RegExp, example: string) =>
  text(maxAddress, `Please enter an address such as ${example}.`).refine(
    (value) => {
      if (!URL.canParse(value)) return false;
      const { protocol, hostname } = new URL(value);
      return protocols.test(protocol) && hostname !== '';
    },
    { error: `Please enter an address such as ${example}.`, abort: true },
  );

const email = z.object({
  host: text(maxHost, 'Please enter the mail server.').regex(
    hostName,
    'Please enter the name of the mail server, such as smtp.your-provider.com.',
  ),
  port: z
    .int('Please enter the port of the mail server.')
    .min(1, 'Ports begin with 1.')
    .max(65_535, 'Ports end with 65535.'),
  security: z
    .enum(['tls', 'starttls', 'none'])
    .optional()
    .describe('By default TLS at port 465, and STARTTLS at others.'),
  user: shortText(maxLogin).optional(),
  // Google's page of app passwords has no-break spaces in them, which its mail server rejects.
  password: shortText(maxLogin)
    .overwrite((value) => value.replaceAll('\u00a0', ' '))
    .optional()
    .describe('Left out: the stored one, for the same host and user.'),
  from: emailInput.optional().describe('The sender; by default the user.'),
  to: z
    .array(emailInput)
    .min(1)
    .max(10)
    .optional()
    .describe('The owner’s addresses; by default the one that the site shows.'),
});

const stripe = z.union(
  [
    z.object({
      key: text(maxLogin, 'Please paste the key.').regex(
        /^(sk|rk)_\w+$/,
        'A key of Stripe begins with rk_ or sk_.',
      ),
    }),
    z.object({
      webhookSecret: text(maxLogin, 'Please paste the signing secret.').regex(
        /^whsec_\S+$/,
        'The signing secret of a webhook at Stripe begins with whsec_.',
      ),
    }),
  ],
  'Please send a key or a webhookSecret.',
);

const busyCalendars = z.union(
  [
    z.object({
      // The same calendar must not be read twice.
      add: address(
        /^(https|webcal):$/,
        'https://calendar.google.com/calendar/ical/…/basic.ics',
      ).overwrite((value) => value.replace(/^webcal:/i, 'https:')),
    }),
    z.object({ remove: storableText.describe('The id of an item.') }),
  ],
  'Please send an address to add, or the id of a calendar to remove.',
);

const webhook = z.object({
  url: address(/^https:$/, 'https://hooks.your-host.com/shingle').refine(
    (value) => {
      const { username, password } = new URL(value);
      return username === '' && password === '';
    },
    { error: 'Please enter the address without user and password.' },
  ),
});

/** Cal.com and Calendly. */
const signed = z.object({
  webhookSecret: text(maxLogin, 'Please paste the signing secret.').min(
    16,
    'The signing secret has 16 characters or more.',
  ),
});

export const setInput = z.discriminatedUnion(
  'name',
  [
    z.object({ name: z.literal('email'), value: email }),
    z.object({ name: z.literal('stripe'), value: stripe }),
    z.object({ name: z.literal('busyCalendars'), value: busyCalendars }),
    z.object({ name: z.literal('webhook'), value: webhook }),
    z.object({ name: z.literal('calcom'), value: signed }),
    z.object({ name: z.literal('calendly'), value: signed }),
  ],
  'There is no such connection.',
);

export type SetInput = z.output<typeof setInput>;

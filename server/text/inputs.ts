/** Schemas of what visitors and the dashboard send, shared by the procedures. */
import { z } from 'zod';
import { isTimeZone } from '../time/zone.ts';
import { emailAddress, withAsciiDomain } from './email-address.ts';
import { storableText } from './storable.ts';

/** An email address of a visitor, of any length that browsers accept. */
export const emailInput = storableText
  .trim()
  .min(1, 'Please fill in your e-mail address.')
  .overwrite(withAsciiDomain)
  .regex(emailAddress, 'Please enter an e-mail address such as you@example.com.');

/** The longest address that SMTP allows (RFC 5321), in characters. */
export const maxEmailLength = 254;

/** An IANA time zone. */
export const timeZoneInput = z
  .string()
  .refine(isTimeZone, 'There is no such time zone. Please name one such as Europe/Berlin.');

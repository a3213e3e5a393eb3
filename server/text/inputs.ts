/** Schemas of what visitors and the dashboard send, shared by the procedures. */
import { z } from 'zod';
import { isTimeZone } from '../time/zone.ts';
import { emailAddress } from './email-address.ts';
import { storableText } from './storable.ts';

/** An email address of a visitor. */
export const emailInput = storableText
  .trim()
  .min(1, 'Please fill in your e-mail address.')
  // The longest address that SMTP allows (RFC 5321).
  .max(254, 'Please enter an e-mail address of at most 254 characters.')
  .regex(emailAddress, 'Please enter an e-mail address such as you@example.com.');

/** An IANA time zone. */
export const timeZoneInput = z
  .string()
  .refine(isTimeZone, 'There is no such time zone. Please name one such as Europe/Berlin.');

/** Schemas of what visitors and the dashboard send, shared by the procedures. */
import { z } from 'zod';
import { isTimeZone } from '../time/zone.ts';
import { domainFault, emailAddress, withAsciiDomain } from './email-address.ts';
import { storableText } from './storable.ts';

/** An email address of a visitor, of any length that browsers accept. */
export const emailInput = storableText
  .trim()
  .min(1, 'Please fill in your e-mail address.')
  .overwrite(withAsciiDomain)
  .regex(emailAddress, {
    error: 'Please enter an e-mail address such as you@example.com.',
    abort: true,
  });

/** The longest address that SMTP allows (RFC 5321), in characters. */
export const maxEmailLength = 254;

/** An email address of a visitor who must receive email. */
export const receivingEmailInput = emailInput
  .max(maxEmailLength, `Please enter an e-mail address of at most ${maxEmailLength} characters.`)
  .refine((address) => domainFault(address) === undefined, {
    error: ({ input }) => {
      const { domain = '', suggestion } = domainFault(String(input)) ?? {};
      const end = `Please check your e-mail address: it ends in @${domain}`;
      return suggestion === undefined
        ? `${end}, where no e-mail arrives.`
        : `${end}. Did you mean ${suggestion}?`;
    },
  });

/** An IANA time zone. */
export const timeZoneInput = z
  .string()
  .refine(isTimeZone, 'There is no such time zone. Please name one such as Europe/Berlin.');

/** Schemas of what visitors and the dashboard send, shared by the procedures. */
import { z } from 'zod';
import { en } from '../contract/words/en.ts';
import { fillWords } from '../contract/words/words.ts';
import { isTimeZone } from '../time/zone.ts';
import { domainFault, emailAddress, withAsciiDomain } from './email-address.ts';
import { storableText } from './storable.ts';

const { errors } = en;

/** An email address of a visitor, of any length that browsers accept. */
export const emailInput = storableText
  .trim()
  .min(1, errors.emailMissing)
  .overwrite(withAsciiDomain)
  .regex(emailAddress, {
    error: errors.emailWrong,
    abort: true,
  });

/** The longest address that SMTP allows (RFC 5321), in characters. */
export const maxEmailLength = 254;

/** An email address of a visitor who must receive email. */
export const receivingEmailInput = emailInput
  .max(maxEmailLength, fillWords(errors.emailLong, { max: String(maxEmailLength) }))
  .refine((address) => domainFault(address) === undefined, {
    error: ({ input }) => {
      const { domain = '', suggestion } = domainFault(String(input)) ?? {};
      return suggestion === undefined
        ? fillWords(errors.emailDomain, { domain })
        : fillWords(errors.emailMeant, { domain, suggestion });
    },
  });

/** An IANA time zone. */
export const timeZoneInput = z
  .string()
  .refine(isTimeZone, 'There is no such time zone. Please name one such as Europe/Berlin.');

/** A host name of ASCII letters, digits and hyphens, or an IPv4 address. */
export const hostName = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/i;

import { normalized } from './normalized.ts';
import { inLine } from './printable.ts';

/** Longest name of an email to a visitor, in characters. */
const maxLength = 60;

/** What makes a link, an address or a header: `:`, `//`, `@`, brackets, a line break, an encoded word (RFC 2047). */
const markup = /[@:\\<>\p{Cc}\p{Zl}\p{Zp}]|\/\/|=\?/u;

/** A name of a host, as programs turn it into a link. The full stop of Chinese and Japanese counts as a dot there. */
const host = /[\p{L}\p{N}_-][.。][\p{L}\p{N}]/u;

/** Initials such as `J.P.`, which are no host. */
const initials = /(?<![\p{L}\p{N}.。_-])(?:\p{Lu}\.)+(?=\p{Lu}\p{Ll}|\s|$)/gu;

/** As many digits as a short phone number has. */
const phone = /(?:\p{Nd}\P{Nd}*){5}/u;

/**
 * Returns the name that a visitor typed in one line, as it may stand in an email to an address that anybody can
 * type; undefined for one that could carry a message, a link or a number to somebody else's mailbox.
 */
export function safeName(name: string): string | undefined {
  // NFKC shows what styled characters stand for; characters of no width would hide a host.
  const plain = normalized(name).replace(/\p{Cf}/gu, '');
  const isSafe =
    [...plain].length <= maxLength &&
    !markup.test(plain) &&
    !host.test(plain.replace(initials, '')) &&
    !phone.test(plain);
  return isSafe ? inLine(name) : undefined;
}

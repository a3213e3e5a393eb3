/** Letters and digits that are not taken for one another; 31 of them, which divide the numbers below 248 evenly. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Returns four groups of five unambiguous letters and digits: about 98 bits of entropy. */
export function randomSecret(): string {
  let letters = '';
  while (letters.length < 20) {
    for (const byte of crypto.getRandomValues(new Uint8Array(20))) {
      if (byte < 248 && letters.length < 20) letters += alphabet[byte % alphabet.length];
    }
  }
  return letters.match(/.{5}/g)?.join('-') ?? '';
}

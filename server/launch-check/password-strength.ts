/** What everybody tries first. */
const common = [
  'password',
  'passwort',
  'motdepasse',
  'admin',
  'administrator',
  'welcome',
  'letmein',
  'login',
  'qwerty',
  'qwertz',
  'azerty',
  'asdfgh',
  'iloveyou',
  'dragon',
  'monkey',
  'football',
  'baseball',
  'sunshine',
  'princess',
  'superman',
  'master',
  'shadow',
  'secret',
  'changeme',
  'default',
  'access',
  'shingle',
  'website',
  'abc',
  'test',
  'user',
  'root',
];

/** The shortest password that is not called short. */
export const minPasswordLength = 12;

/**
 * Why a password is weak, as the rest of a sentence that begins with its name; undefined when it is
 * not. `known` are words a stranger can read on the site.
 */
export function weaknessOf(password: string, known: string[]): string | undefined {
  if (password.length < minPasswordLength)
    return `has ${password.length} letters; use ${minPasswordLength} or more`;
  const plain = password
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll('1', 'i')
    .replaceAll('3', 'e');
  const unreadable = plain.replace(/[@4]/g, 'a').replace(/[$5]/g, 's');
  const words = [...common, ...known.map((word) => word.toLowerCase())].filter(Boolean);
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), unreadable);
  // Digits and signs around a common word are tried right after it.
  const own = rest.replace(/[^\p{L}]/gu, '');
  const digits = password.replace(/\D/g, '');
  const isMadeOfCommon = own.length < 6 && digits.length < minPasswordLength;
  if (isMadeOfCommon && rest.length < unreadable.length)
    return 'is made of words that are tried first';
  if (new Set(password).size < 6) return 'repeats the same few letters';
  return /^\d+$/.test(password) ? 'is made of digits alone' : undefined;
}

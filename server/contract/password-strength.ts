/** Words that password guessing tries first. */
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

/** Minimum length of a password. */
const minLength = 12;

/** The words of a site's name, which an attacker would try. */
export const wordsOf = (name: string): string[] => [name, ...name.split(/\s+/)];

/**
 * Why a password is weak, as the rest of a sentence that begins with its name; undefined for a
 * strong one. `publicWords` are words of the site that an attacker would try.
 */
export function weaknessOf(password: string, publicWords: string[]): string | undefined {
  if (password.length < minLength) {
    return `has ${password.length} characters; use ${minLength} or more`;
  }
  // Undo common substitutions: "p4$$w0rd" is "password".
  const normalized = password
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll('1', 'i')
    .replaceAll('3', 'e')
    .replace(/[@4]/g, 'a')
    .replace(/[$5]/g, 's');
  const words = [...common, ...publicWords.map((word) => word.toLowerCase())].filter(Boolean);
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), normalized);
  // Digits and symbols around a common word are guessed as well, so only other letters count.
  const letters = rest.replace(/[^\p{L}]/gu, '');
  const digits = password.replace(/\D/g, '');
  const isMadeOfCommon = letters.length < 6 && digits.length < minLength;
  if (isMadeOfCommon && rest.length < normalized.length) {
    return 'is made of words that attackers try first';
  }
  if (new Set(password).size < 6) return 'repeats the same few characters';
  return /^\d+$/.test(password) ? 'has only digits' : undefined;
}

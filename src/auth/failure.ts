import { errorResponseOf } from '../api/trpc.ts';

const failed = 'Login failed. Please try again.';

/**
 * What a failed login is told: the server's own sentence, else `refused`. Where no answer came, or one
 * that only a broken server gives, the password is not to blame.
 */
export function sentenceFor(error: unknown, refused = failed): string {
  const refusal = errorResponseOf(error);
  if (refusal?.sentence) return refusal.sentence;
  const isAnswer = refusal && (refusal.status < 500 || isJson(refusal.body));
  return isAnswer ? refused : failed;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the password was looked at and turned down. */
export const isRefusedPassword = (error: unknown): boolean =>
  errorResponseOf(error)?.status === 401;

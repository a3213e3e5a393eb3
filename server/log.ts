import { type Logger, pino } from 'pino';
import { codeOf } from './error-code.ts';

export type Log = Logger;

/**
 * What is logged of an error. Databases and mail servers put more on theirs, such as the row that they
 * did not take: a visitor's words.
 */
export function factsOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  const code = codeOf(error) ?? codeOf(error.cause);
  return { type, message, stack, code };
}

/**
 * JSON lines in production; readable ones in development. What is logged is chosen by the caller:
 * never a password, a cookie or a message's text, and an address only of somebody who tries to sign in.
 */
export function createLog(level: string, { pretty }: { pretty: boolean }): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: factsOf },
    ...(pretty && { transport: { target: 'pino-pretty' } }),
  });
}

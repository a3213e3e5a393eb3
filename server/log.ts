import { type Logger, pino } from 'pino';
import { codeOf } from './errors.ts';

export type Log = Logger;

/**
 * The properties of an error that are logged. Databases and mail servers attach more, such as a rejected row
 * with a visitor's text.
 */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  const code = codeOf(error.cause) ?? codeOf(error);
  return { type, message, stack, code };
}

/**
 * Creates the log: JSON lines in production, pretty lines in development. Callers never log a password, a
 * cookie or the text of a message, and an address only for sign-in attempts.
 */
export function createLog(level: string, { pretty }: { pretty: boolean }): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: loggedError },
    ...(pretty && { transport: { target: 'pino-pretty' } }),
  });
}

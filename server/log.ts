import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * JSON lines in production; readable ones in development. What is logged is chosen by the caller:
 * never a password, a cookie, a message's text or a visitor's address.
 */
export function createLog(level: string, { pretty }: { pretty: boolean }): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: pino.stdSerializers.err },
    ...(pretty && { transport: { target: 'pino-pretty' } }),
  });
}

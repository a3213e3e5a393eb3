import type { IncomingMessage } from 'node:http';
import { TRPCError } from '@trpc/server';
import { sentences } from '../errors.ts';

/** Most bytes a request may carry. */
export const bodyLimit = 256 * 1024;

/** Whether the request carries anything. A POST without a body says `Content-Length: 0`. */
export function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The media type without its parameters, in lower case. */
export function mediaType(req: IncomingMessage): string {
  return (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The body as text. Throws PAYLOAD_TOO_LARGE, or BAD_REQUEST when it is not UTF-8 or breaks off. */
export async function readText(req: IncomingMessage): Promise<string> {
  if (Number(req.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of req as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > bodyLimit) throw tooLarge();
      chunks.push(chunk);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    if (error instanceof TRPCError) throw error;
    throw new TRPCError({ code: 'BAD_REQUEST', message: sentences.malformedJson });
  }
}

/** The body as JSON. Throws as `readText` does, and BAD_REQUEST when it is not JSON. */
export async function readJson(req: IncomingMessage): Promise<unknown> {
  const text = await readText(req);
  try {
    return JSON.parse(text);
  } catch {
    throw new TRPCError({ code: 'BAD_REQUEST', message: sentences.malformedJson });
  }
}

const tooLarge = () => new TRPCError({ code: 'PAYLOAD_TOO_LARGE', message: sentences.tooLarge });

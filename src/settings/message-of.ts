import { errorResponseOf } from '../api/trpc.ts';

/** What to show for a failed call: what is wrong with its input, the server’s sentence, or `otherwise`. */
export function messageOf(error: unknown, otherwise: string): string {
  const response = errorResponseOf(error);
  // The server's validation errors have this shape.
  const { issues = [] } = (response?.json ?? {}) as { issues?: { message: string }[] };
  return issues[0]?.message ?? response?.sentence ?? otherwise;
}

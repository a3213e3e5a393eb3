/** The parts of the OpenAPI document that all calls share: who may make them, and how they fail. */
import type { z } from 'zod';
import { type ErrorCode, errors, sentenceOf } from '../../trpc/errors.ts';
import type { Access } from '../../trpc/trpc.ts';

/** A part of the document. */
export type Json = Record<string, unknown>;

/** Converts a schema; its parts with an `id` go to `components`, for all schemas together. */
export type ToJsonSchema = (schema: z.ZodType, io: 'input' | 'output') => Json;

/** A reference to a component of the document. */
export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** The properties of an object as parameters of the query. */
export const parametersOf = ({ properties = {}, required = [] }: Json) =>
  Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: (required as string[]).includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));

/** Who may make a call, each alternative by itself; an empty list means everybody. */
export const securityOf = ({ session, scope }: Access): Json[] => [
  ...(session ? [{ session: [] }] : []),
  ...(scope ? [{ apiKey: [scope] }] : []),
];

/** The codes of calls that are not public. */
export const accessCodes = ({ session, scope, isSensitive }: Access): ErrorCode[] => [
  ...(session ? (['UNAUTHORIZED'] as const) : []),
  ...(session || scope ? (['INVALID_KEY', 'RATE_LIMITED'] as const) : []),
  ...(scope ? (['INSUFFICIENT_SCOPE'] as const) : []),
  ...(session && !scope ? (['SESSION_REQUIRED'] as const) : []),
  ...(isSensitive ? (['CONFIRM_PASSWORD'] as const) : []),
];

/** The error responses of a call: those of these codes by status, and all others as the default. */
export function errorResponses(codes: readonly ErrorCode[]): Json {
  const all = [...new Set<ErrorCode>([...codes, 'INTERNAL_ERROR', 'STORAGE_UNAVAILABLE'])];
  const responses = all.map((code) => {
    const [status] = errors[code];
    return [
      status,
      errorResponse(
        status,
        all.filter((other) => errors[other][0] === status),
      ),
    ];
  });
  return { ...Object.fromEntries(responses), default: ref('responses', 'Error') };
}

const errorResponse = (status: number, codes: ErrorCode[]) => ({
  description: codes.map((code) => `\`${code}\`: ${sentenceOf(code)}`).join('\n\n'),
  ...headersOf(status),
  content: {
    'application/json': {
      schema: {
        allOf: [
          ref('schemas', 'Error'),
          { type: 'object', properties: { code: { enum: codes } }, required: ['code'] },
        ],
      },
    },
  },
});

const headersOf = (status: number) => {
  const headers = {
    ...((status === 429 || status === 503) && {
      'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
    }),
    ...(status >= 500 && {
      'X-Request-Id': { description: 'Yours, if sent.', schema: { type: 'string' } },
    }),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
};

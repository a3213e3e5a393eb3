/**
 * The API as an OpenAPI 3.1 document, from the route table, the schemas and metadata of the procedures and
 * the error catalogue.
 */
import { z } from 'zod';
import { appRouter } from '../../app/router.ts';
import { type ProcedurePath, routes } from '../../contract/routes.ts';
import { isoTime } from '../../text/outputs.ts';
import { type ErrorCode, errors } from '../../trpc/errors.ts';
import type { Access, Meta } from '../../trpc/trpc.ts';
import { otherPaths } from './other-paths.ts';
import {
  accessCodes,
  errorResponses,
  type Json,
  parametersOf,
  ref,
  securityOf,
  type ToJsonSchema,
} from './responses.ts';
import { webhooksOf } from './webhooks.ts';

const tags = {
  contact: 'Messages of the contact form',
  booking: 'Calls booked in the site’s calendar',
  auth: 'The owner’s sessions',
  analytics: 'Page views, clicks and sales',
  site: 'What the site says',
  people: 'The data of one person',
  keys: 'API keys',
  connections: 'Other servers that the site works with',
  settings: 'The owner’s settings',
  other: 'Files, webhooks of other services and probes',
  events: 'Webhooks that the site sends to the owner’s receiver (`WEBHOOK_URL`)',
};

/** Creates the document. Its content depends on the code only. */
export function openApiDocument(version: string): Json {
  const schemas: Record<string, Json> = {};
  const toJsonSchema: ToJsonSchema = (schema, io) => {
    const { $defs, $schema: _, ...json } = hoisted(schema, io);
    Object.assign(schemas, $defs);
    return json;
  };
  schemas.Error = toJsonSchema(errorBody, 'output');
  const paths: Record<string, Json> = {};
  for (const [name, { method, path }] of Object.entries(routes)) {
    const operation = operationOf(name as ProcedurePath, toJsonSchema);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  Object.assign(paths, otherPaths(toJsonSchema));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Shingle',
      version,
      summary: 'The website and sales dashboard of a one-person consultancy.',
      description:
        'Clients ignore fields they do not know: later versions add some. Times are ISO 8601; `startDate` belongs to a window, `asOf` does not.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This site' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [],
    paths,
    webhooks: webhooksOf(toJsonSchema),
    components: {
      schemas,
      responses: {
        Error: {
          description: 'Another error of the catalogue.',
          content: { 'application/json': { schema: ref('schemas', 'Error') } },
        },
      },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'The owner’s session. With an https address the cookie is `__Host-session`.',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the owner with the scope of the call.',
        },
      },
    },
  };
}

const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

const errorBody = z.object({
  error: z.string().describe('What happened and what to do, for people.'),
  code: z
    .enum(errorCodes)
    .describe('Stable. Decide by it, because the wording of `error` may change.'),
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('The invalid fields, with `VALIDATION`.'),
  nearest: z.array(isoTime).optional().describe('The closest free times, with `SLOT_TAKEN`.'),
});

function hoisted(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // Later versions add fields.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // The format says the same as the long pattern.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      delete jsonSchema.id;
      // Linters and generators do not read names from `propertyNames`.
      const { propertyNames, additionalProperties } = jsonSchema;
      if (typeof propertyNames === 'object' && propertyNames.enum && additionalProperties) {
        const names = propertyNames.enum.map(String);
        jsonSchema.properties = Object.fromEntries(
          names.map((name) => [name, additionalProperties]),
        );
        delete jsonSchema.propertyNames;
        delete jsonSchema.additionalProperties;
      }
    },
  });
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** The parts of a procedure that the document is made of. */
interface Definition {
  inputs: z.ZodType[];
  output: z.ZodType;
  meta: Meta;
}

function operationOf(name: ProcedurePath, toJsonSchema: ToJsonSchema): Json {
  const { method } = routes[name];
  const { inputs, output, meta } = definitionOf(name);
  const { summary, description, isIdempotent, errors = [] } = meta;
  const [input] = inputs;
  const schema = input && toJsonSchema(input, 'input');
  const parameters = [
    ...(method === 'GET' && schema ? parametersOf(schema) : []),
    ...(isIdempotent ? [idempotencyKey] : []),
  ];
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary,
    ...(description && { description }),
    security: securityOf(meta),
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'POST' &&
      schema && { requestBody: { required: true, content: { 'application/json': { schema } } } }),
    responses: {
      ...(output instanceof z.ZodVoid
        ? { 204: { description: 'Done.' } }
        : {
            200: {
              description: 'Done.',
              content: { 'application/json': { schema: toJsonSchema(output, 'output') } },
            },
          }),
      ...errorResponses([...codesOf({ method, hasInput: input !== undefined, meta }), ...errors]),
    },
  };
}

/** tRPC keeps the schemas of a procedure, but declares no type for them. */
export const definitionOf = (name: ProcedurePath): Definition =>
  (appRouter._def.procedures as unknown as Record<ProcedurePath, { _def: Definition }>)[name]._def;

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same input under the same key is stored once.',
  schema: { type: 'string', pattern: '^[\\w-]{16,64}$' },
};

/** The codes that all calls of a kind can return. */
function codesOf({
  method,
  hasInput,
  meta,
}: {
  method: 'GET' | 'POST';
  hasInput: boolean;
  meta: Access;
}): ErrorCode[] {
  const isPost = method === 'POST';
  return [
    ...(hasInput ? (['VALIDATION'] as const) : []),
    ...(isPost && hasInput
      ? (['MALFORMED_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
      : []),
    ...(isPost && (meta.session || !meta.scope) ? (['FOREIGN_ORIGIN'] as const) : []),
    ...accessCodes(meta),
  ];
}

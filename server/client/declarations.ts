/**
 * Writes the types of `shingle/client` and `shingle/trpc` from the OpenAPI document, so that they need no file of the
 * server. The declarations that TypeScript emits import it, and bundlers of declarations need TypeScript 6 or older.
 */
import { openApiDocument } from '../http/openapi/document.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  items?: Schema;
  description?: string;
}
interface Content {
  content?: { 'application/json': { schema: Schema } };
}
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  security: Record<string, string[]>[];
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const head = `/** The client of the API. Made by \`npm run build\`. */

export interface ClientOptions {
  /** The address of the site, such as \`https://www.your-domain.com\`. */
  url: string;
  /** An API key of the owner; undefined: only public calls. */
  key?: string | undefined;
}

export interface CallOptions {
  /** The same input under the same key (16 to 64 characters) is stored once. */
  idempotencyKey?: string | undefined;
  /** Cancels the call. Without one it times out after 15 seconds. */
  signal?: AbortSignal | undefined;
}

/** An error response. Its message is a sentence for people. */
export declare class ApiError extends Error {
  readonly status: number;
  /** Undefined when the response is not of the API. */
  readonly code: ErrorCode | undefined;
  /** The invalid fields, with \`VALIDATION\`. */
  readonly issues: { path: string; message: string }[];
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;
}

/** Creates the client. Its calls reject with \`ApiError\`, or as \`fetch\` does without a response. */
export declare function createClient(options: ClientOptions): Client;
`;

/**
 * The types of the reader's `@trpc/server`, of which every version 11 has these names. `any` stands for the internals in
 * which versions differ, because npm links a package that it installs by its path, and then finds the site's version.
 */
const trpcHead = `/** The router of the API for \`createTRPCClient\`. Made by \`npm run build\`. */
import type { initTRPC, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER } from '@trpc/server/rpc';

declare const server: ReturnType<typeof initTRPC.create<{ errorFormatter: () => ErrorShape }>>;
type Router = ReturnType<typeof server.router<Procedures>>;

export type AppRouter = Router & {
  _def: { _config: { errorFormatter: any; pathSeparator: any }; lazy: any };
  createCaller: any;
};

interface Call<Output> {
  (options: any): Promise<Output>;
  _def: { $types: { errorShape: unknown }; experimental_caller: any; inputs: any; meta: any };
  meta: any;
}
type Query<Input, Output> = Call<Output> &
  TRPCQueryProcedure<{ input: Input; output: Output; meta: unknown }>;
type Mutation<Input, Output> = Call<Output> &
  TRPCMutationProcedure<{ input: Input; output: Output; meta: unknown }>;

interface ErrorShape {
  /** A sentence for people. */
  message: string;
  code: TRPC_ERROR_CODE_NUMBER;
  data: {
    code: TRPC_ERROR_CODE_KEY;
    errorCode: ErrorCode;
    httpStatus: number;
    path?: string;
    /** The invalid fields, with \`VALIDATION\`. */
    issues?: { path: string; message: string }[];
    /** The closest free times, with \`SLOT_TAKEN\`. */
    nearest?: string[];
  };
}
`;

const { paths, components } = openApiDocument('') as unknown as Document;
const { Error: error, ...schemas } = components.schemas;

/** The content of `client.d.ts`: the calls that a program can make, with their types. */
export function clientDeclarations(): string {
  const lines = [
    `export type ErrorCode = ${typeOf(error?.properties?.code ?? {})};\n`,
    ...Object.entries(schemas).map(
      ([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`,
    ),
    'export interface Client {',
    ...declared(isForPrograms, callOf),
    '}',
  ];
  return `${head}\n${indented(lines.join('\n'))}\n`;
}

/** The content of `trpc.d.ts`: the router with all its procedures. */
export function trpcDeclarations(): string {
  const lines = [
    `import type { ErrorCode, ${Object.keys(schemas).join(', ')} } from './client.js';\n`,
    'type Procedures = {',
    ...declared(({ tags }) => !tags.includes('other'), procedureOf),
    '};',
  ];
  return `${trpcHead}${indented(lines.join('\n'))}\n`;
}

/** The declarations of calls by feature. */
function declared(
  isWanted: (operation: Operation) => boolean,
  declare: (name: string, operation: Operation, kind: string) => string,
): string[] {
  const features = new Map<string, string[]>();
  for (const methods of Object.values(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [feature = '', name = ''] = operation.operationId.split('.');
      if (!isWanted(operation)) continue;
      const declaration = declare(name, operation, method === 'get' ? 'Query' : 'Mutation');
      features.set(feature, [...(features.get(feature) ?? []), declaration]);
    }
  }
  return [...features].map(([feature, calls]) => `${feature}: {\n${calls.join('\n')}\n};`);
}

/** Indents lines by the brackets at their ends and starts. */
function indented(text: string): string {
  let depth = 0;
  const lines = text.split('\n').map((line) => {
    if (/^[}\])]/.test(line)) depth -= 1;
    const result = line && '  '.repeat(depth) + line;
    if (/[{[(]$/.test(line)) depth += 1;
    return result;
  });
  return lines.join('\n');
}

/** A program has no session, and its page views are not counted. */
const isForPrograms = ({ operationId, tags, security }: Operation) =>
  security.some(({ apiKey }) => apiKey)
    ? !tags.includes('other')
    : security.length === 0 && /^(contact|booking)\./.test(operationId);

/** The declaration of a call as a function. */
function callOf(name: string, operation: Operation) {
  const { input, isOptional, output } = typesOf(operation);
  return `${comment(operation.summary)}${name}(input${isOptional ? '?' : ''}: ${input}, options?: CallOptions): Promise<${output}>;`;
}

/** The declaration of a call as a procedure of tRPC. */
function procedureOf(name: string, operation: Operation, kind: string) {
  const { input, isOptional, output } = typesOf(operation);
  return `${comment(operation.summary)}${name}: ${kind}<${isOptional ? `${input} | undefined` : input}, ${output}>;`;
}

function typesOf({ parameters = [], requestBody, responses }: Operation) {
  const query = parameters.filter((one) => one.in === 'query');
  const input: Schema = requestBody?.content?.['application/json'].schema ?? {
    type: 'object',
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
    required: query.flatMap(({ name, required }) => (required ? name : [])),
  };
  const output = responses[200]?.content?.['application/json'].schema;
  return {
    input: typeOf(input, true),
    isOptional: (input.required ?? []).length === 0,
    output: output ? typeOf(output) : 'undefined',
  };
}

const comment = (text: string | undefined) => (text === undefined ? '' : `/** ${text} */\n`);

/** The TypeScript type of a schema. Optional fields of an input may also be undefined. */
function typeOf(schema: Schema, isInput = false): string {
  const inner = (one: Schema) => typeOf(one, isInput);
  const joined = (schemas: Schema[], sign: string) => `(${schemas.map(inner).join(` ${sign} `)})`;
  if (schema.$ref) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return `(${schema.enum.map((value) => JSON.stringify(value)).join(' | ')})`;
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return joined(union, '|');
  if (schema.allOf) return joined(schema.allOf, '&');
  if (Array.isArray(schema.type))
    return joined(
      schema.type.map((type) => ({ ...schema, type })),
      '|',
    );
  if (schema.type === 'array') return `${inner(schema.items ?? {})}[]`;
  if (schema.type === 'object') return objectOf(schema, isInput);
  if (schema.type === 'integer') return 'number';
  return schema.type ?? 'unknown';
}

function objectOf({ properties, required = [], additionalProperties }: Schema, isInput: boolean) {
  if (!properties) return `Record<string, ${typeOf(additionalProperties ?? {}, isInput)}>`;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const type = typeOf(schema, isInput);
    const isRequired = required.includes(name);
    const optional = isInput ? `?: ${type} | undefined` : `?: ${type}`;
    return `${comment(schema.description)}${key}${isRequired ? `: ${type}` : optional};`;
  });
  if (fields.length === 0) return 'Record<string, never>';
  return `{\n${fields.join('\n')}\n}`;
}

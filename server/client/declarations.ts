/**
 * Writes the types of `shingle/client` from the OpenAPI document, so that they need no other file. The declarations
 * that TypeScript emits import the server, and bundlers of declarations need the compiler of TypeScript 6 or older.
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

/** The content of \`client.d.ts\`: the calls that a program can make, with their types. */
export function clientDeclarations(): string {
  const { paths, components } = openApiDocument('') as unknown as Document;
  const { Error: error, ...schemas } = components.schemas;
  const code = error?.properties?.code ?? {};
  const features = new Map<string, string[]>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const [feature = '', name = ''] = operation.operationId.split('.');
    if (!isForPrograms(operation)) continue;
    features.set(feature, [...(features.get(feature) ?? []), callOf(name, operation)]);
  }
  const lines = [
    `export type ErrorCode = ${typeOf(code)};\n`,
    ...Object.entries(schemas).map(
      ([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`,
    ),
    'export interface Client {',
    ...[...features].map(([feature, calls]) => `${feature}: {\n${calls.join('\n')}\n};`),
    '}',
  ];
  return `${head}\n${indented(lines.join('\n'))}\n`;
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

function callOf(name: string, { summary, parameters = [], requestBody, responses }: Operation) {
  const query = parameters.filter((one) => one.in === 'query');
  const input: Schema | undefined = requestBody?.content?.['application/json'].schema ?? {
    type: 'object',
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
    required: query.flatMap(({ name, required }) => (required ? name : [])),
  };
  const isOptional = (input.required ?? []).length === 0;
  const output = responses[200]?.content?.['application/json'].schema;
  return `${comment(summary)}${name}(input${isOptional ? '?' : ''}: ${typeOf(input, true)}, options?: CallOptions): Promise<${output ? typeOf(output) : 'undefined'}>;`;
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

/** The calls of the OpenAPI document that are not procedures: files, webhooks, redirects and probes. */
import { z } from 'zod';
import { windowInput } from '../../analytics/rows.ts';
import { bookingOutput } from '../../booking/outputs.ts';
import { messageOutput } from '../../contact/inbox.ts';
import { photosPath } from '../../contract/photos.ts';
import type { ErrorCode } from '../../trpc/errors.ts';
import type { Access } from '../../trpc/trpc.ts';
import { backupPath } from '../backup.ts';
import { feedPrefix } from '../booking/feed.ts';
import { checkoutPath } from '../checkout.ts';
import { downloads, fileAt } from '../downloads.ts';
import { siteExportPath } from '../site-export.ts';
import { previewNames, previewPath } from '../site-preview.ts';
import {
  accessCodes,
  errorResponses,
  type Json,
  parametersOf,
  securityOf,
  type ToJsonSchema,
} from './responses.ts';

const binary = (type: string) => ({ [type]: { schema: { type: 'string' } } });

interface OtherCall {
  summary: string;
  meta?: Access;
  errors?: readonly ErrorCode[];
  responses: Json;
  parameters?: Json[];
  requestBody?: Json;
}

const operation = (
  operationId: string,
  { meta = {}, errors = [], responses, ...rest }: OtherCall,
): Json => ({
  operationId,
  tags: ['other'],
  ...rest,
  security: securityOf(meta),
  responses: { ...responses, ...errorResponses([...accessCodes(meta), ...errors]) },
});

const ok = (content: Json, description = 'Done.') => ({ 200: { description, content } });
const text = { type: 'string' };
const checkoutParameters = 'button first last utm_source utm_medium utm_campaign'.split(' ');
const flag = (name: string) => ({
  'application/json': {
    schema: { type: 'object', properties: { [name]: { const: true } }, required: [name] },
  },
});

const webhook = (
  name: string,
  { service, header, errors = [] }: { service: string; header: string; errors?: ErrorCode[] },
): Json => ({
  post: operation(`${name}Webhook`, {
    summary: `Receive an event of ${service}`,
    errors: [
      ...(['INVALID_SIGNATURE', 'UNREADABLE_EVENT', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'] as const),
      ...errors,
    ],
    parameters: [{ name: header, in: 'header', required: true, schema: text }],
    requestBody: { required: true, content: { 'application/json': { schema: {} } } },
    responses: ok(flag('received'), 'Counted.'),
  }),
});

/** The rows of the JSON files. */
const rows: Record<string, z.ZodType> = {
  '/api/messages.json': z.array(messageOutput),
  '/api/bookings.json': z.array(bookingOutput.omit({ url: true, delivery: true })),
};

/** Returns the path items of all calls that are not procedures. */
export function otherPaths(toJsonSchema: ToJsonSchema): Json {
  const exports = Object.entries(downloads).map(([path, { scope, isOfWindow, isSensitive }]) => {
    const { name, type } = fileAt(path);
    return [
      path,
      {
        get: operation(`export.${name}.${type}`, {
          summary: `Export ${name} as a ${type.toUpperCase()} file, oldest first`,
          meta: { session: true, scope, isSensitive },
          errors: ['FOREIGN_ORIGIN', ...(isOfWindow ? (['VALIDATION'] as const) : [])],
          ...(isOfWindow && { parameters: parametersOf(toJsonSchema(windowInput, 'input')) }),
          responses: ok(
            type === 'json' && rows[path]
              ? { 'application/json': { schema: toJsonSchema(rows[path], 'output') } }
              : binary('text/csv'),
          ),
        }),
      },
    ];
  });
  return {
    ...Object.fromEntries(exports),
    [backupPath]: {
      get: operation('backup', {
        summary: 'Download a verified backup of the database',
        meta: { session: true, isSensitive: true },
        errors: ['FOREIGN_ORIGIN', 'RATE_LIMITED', 'BACKUP_FAILED'],
        responses: ok(binary('application/vnd.sqlite3')),
      }),
    },
    [photosPath]: {
      post: operation('upload.photo', {
        summary: 'Upload a photo for the site',
        meta: { session: true },
        errors: [
          ...(['FOREIGN_ORIGIN', 'CONTENT_IN_FILE', 'VALIDATION'] as const),
          ...(['PHOTO_TOO_LARGE', 'UNSUPPORTED_PHOTO'] as const),
        ],
        parameters: [
          {
            name: 'of',
            in: 'query',
            schema: text,
            description: 'The address of an uploaded photo that this is a smaller size of.',
          },
        ],
        requestBody: {
          required: true,
          content: Object.assign(
            {},
            ...['jpeg', 'png', 'webp'].map((one) => binary(`image/${one}`)),
          ),
        },
        responses: ok({
          'application/json': {
            schema: { type: 'object', properties: { address: text }, required: ['address'] },
          },
        }),
      }),
    },
    [siteExportPath]: {
      get: operation('export.site', {
        summary: 'Export the live site as a site.config.ts',
        meta: { session: true },
        errors: ['FOREIGN_ORIGIN'],
        responses: ok(binary('text/plain')),
      }),
    },
    [`${previewPath}{page}`]: {
      get: operation('preview.site', {
        summary: 'Show a page of the draft, in which `data-field` names the field of each text',
        meta: { session: true },
        errors: ['FOREIGN_ORIGIN', 'NOT_FOUND'],
        parameters: [
          { name: 'page', in: 'path', required: true, schema: { enum: previewNames } },
          { name: 'scheme', in: 'query', schema: { enum: ['light', 'dark'] } },
          {
            name: 'version',
            in: 'query',
            schema: { type: 'integer' },
            description: 'A version of the history in place of the draft.',
          },
        ],
        responses: ok(binary('text/html')),
      }),
    },
    [checkoutPath]: {
      get: operation('checkout', {
        summary: 'Redirect to the checkout, with a signed record of the visit',
        errors: ['NOT_FOUND'],
        parameters: checkoutParameters.map((name) => ({
          name,
          in: 'query',
          schema: text,
        })),
        responses: {
          302: {
            description: 'The checkout’s address with `client_reference_id`.',
            headers: { Location: { schema: { type: 'string', format: 'uri' } } },
          },
        },
      }),
    },
    '/api/webhooks/stripe': webhook('stripe', {
      service: 'Stripe',
      header: 'Stripe-Signature',
      errors: ['THIN_EVENT'],
    }),
    '/api/webhooks/calendly': webhook('calendly', {
      service: 'Calendly',
      header: 'Calendly-Webhook-Signature',
    }),
    '/api/webhooks/cal': webhook('cal', { service: 'Cal.com', header: 'X-Cal-Signature-256' }),
    [`${feedPrefix}{token}.ics`]: {
      get: operation('calendar', {
        summary: 'Subscribe to the owner’s calls',
        errors: ['RATE_LIMITED'],
        parameters: [{ name: 'token', in: 'path', required: true, schema: text }],
        responses: {
          ...ok(binary('text/calendar')),
          404: { description: 'A page: there is no such calendar.', content: binary('text/html') },
        },
      }),
    },
    '/healthz': {
      get: operation('healthz', {
        summary: 'Check that the process runs',
        errors: ['INVALID_HOST'],
        responses: ok(flag('ok')),
      }),
    },
    '/readyz': {
      get: operation('readyz', {
        summary: 'Check that a recent write has reached the disk',
        errors: ['INVALID_HOST'],
        responses: ok(flag('ok')),
      }),
    },
  };
}

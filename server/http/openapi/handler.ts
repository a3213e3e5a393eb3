/** Serves the OpenAPI document. */
import packageJson from '../../../package.json' with { type: 'json' };
import type { Handler } from '../handler.ts';
import { type CachedResponse, cachedResponse, sendCached } from '../pages/cached-response.ts';
import { compressed } from '../pages/compress.ts';
import { openApiDocument } from './document.ts';

/** Where the document is. */
export const openApiPath = '/api/openapi.json';

/** Creates the handler of the document. The first request makes it, so that the start need not wait. */
export function createOpenApiHandler(): Handler {
  let response: Promise<CachedResponse> | undefined;
  return async (req, res) => {
    response ??= makeResponse();
    sendCached(req, res, 200, await response);
  };
}

async function makeResponse(): Promise<CachedResponse> {
  const identity = Buffer.from(JSON.stringify(openApiDocument(packageJson.version)));
  return cachedResponse(
    { identity, ...(await compressed(identity)) },
    { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache' },
  );
}

/**
 * The contact form without JavaScript: an HTML form post, answered with a success page or an error page
 * that repeats the values values. When the body was not read, the error page says how to go back to it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { routes } from '../contract/routes.ts';
import { call } from '../trpc/call.ts';
import { errorResponseOf } from '../trpc/errors.ts';
import { drain, mediaType, messageLimit } from './body.ts';
import type { Pages } from './pages.ts';
import { requestIdHeader, requestIdOf } from './request-id.ts';
import type { AdapterOptions } from './rest.ts';

const formType = 'application/x-www-form-urlencoded';

const goBack = 'Go back in your browser: your text is still in the form.';

/** Whether a request to `path` is a form post of the contact form. */
export function isContactForm(req: IncomingMessage, path: string): boolean {
  const route = routes['contact.submit'];
  return path === route.path && req.method === route.method && mediaType(req) === formType;
}

/** Creates the handler of the form post, which responds with an HTML page. */
export function createContactForm(pages: Pages, { createContext, body, report }: AdapterOptions) {
  return async function contactForm(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const values = { name: '', email: '', company: '', message: '' };
    let hasRead = false;
    try {
      const form = new URLSearchParams(await body.text(req, messageLimit));
      hasRead = true;
      for (const field of Object.keys(values) as (keyof typeof values)[]) {
        values[field] = form.get(field) ?? '';
      }
      const hq7x = form.get('hq7x') ?? '';
      await call('contact.submit', { ...values, hq7x }, createContext(req, res));
      await pages.fill(res, 'contact-sent', 200, {});
    } catch (error) {
      const { status, message, issues, retryAfter } = errorResponseOf(error);
      if (status >= 500) {
        report(error, req);
        res.setHeader(requestIdHeader, requestIdOf(req));
      }
      if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
      const sentence = issues?.map((issue) => issue.message).join(' ') ?? message;
      await drain(req);
      const advice = hasRead ? sentence : `${sentence} ${goBack}`;
      await pages.fill(res, 'contact-failed', status, { ...values, error: advice });
    }
  };
}

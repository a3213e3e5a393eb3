/**
 * The contact form without JavaScript: the browser posts it as HTML and is answered by a page, a
 * thank-you or the reason why not, with everything that was typed. A body that was not read cannot be
 * shown, so the page says where the browser keeps it.
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

/** Whether a request to `path` is that form. */
export function isContactForm(req: IncomingMessage, path: string): boolean {
  const route = routes['contact.submit'];
  return path === route.path && req.method === route.method && mediaType(req) === formType;
}

export function createContactForm(pages: Pages, { createContext, body, report }: AdapterOptions) {
  return async function contactForm(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const typed = { name: '', email: '', company: '', message: '' };
    let isRead = false;
    try {
      const form = new URLSearchParams(await body.text(req, messageLimit));
      isRead = true;
      for (const field of Object.keys(typed) as (keyof typeof typed)[]) {
        typed[field] = form.get(field) ?? '';
      }
      const hq7x = form.get('hq7x') ?? '';
      await call('contact.submit', { ...typed, hq7x }, createContext(req, res));
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
      const advice = isRead ? sentence : `${sentence} ${goBack}`;
      await pages.fill(res, 'contact-failed', status, { ...typed, error: advice });
    }
  };
}

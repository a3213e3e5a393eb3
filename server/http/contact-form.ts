/**
 * The contact form without JavaScript: an HTML form post, answered with a success page or an error page
 * that repeats the values. When the body was not read, the error page says how to go back to it.
 */
import type { RequestHandler } from 'express';
import { eachField } from '../contract/contact-fields.ts';
import { honeypot } from '../contract/honeypot.ts';
import { formFailure } from './form-failure.ts';
import type { AdapterOptions } from './handler.ts';
import type { Pages } from './pages/pages.ts';
import { messageLimit } from './request/body.ts';
import { callProcedure } from './rest.ts';

/** Creates the handler of the form post, which responds with an HTML page. It passes on other requests. */
export function createContactForm(
  pages: Pages,
  { createContext, body, report }: AdapterOptions,
): RequestHandler {
  return async function contactForm(req, res, next) {
    if (!req.is('application/x-www-form-urlencoded')) return next();
    const ctx = createContext(req, res);
    const { words } = ctx;
    let form: URLSearchParams | undefined;
    const textOf = (name: string) => form?.get(name) ?? '';
    try {
      form = await body.form(req, res, messageLimit);
      const input = { ...eachField(textOf, textOf), [honeypot]: textOf(honeypot) };
      await callProcedure('contact.submit', async () => input, ctx);
      await pages.fill(res, 'contact-sent', 200, {});
    } catch (error) {
      const { status, message } = formFailure({ report }, error, { req, res, words });
      const advice = form ? message : `${message} ${words.errors.goBack}`;
      await pages.fill(res, 'contact-failed', status, {
        ...eachField(textOf, textOf),
        error: advice,
      });
    }
  };
}

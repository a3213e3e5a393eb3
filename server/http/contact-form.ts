/**
 * The contact form without JavaScript: an HTML form post, answered with a success page or an error page
 * that repeats the values. When the body was not read, the error page says how to go back to it.
 */
import type { IncomingMessage } from 'node:http';
import { eachField } from '../contract/contact-fields.ts';
import { formFailure, goBack } from './form-failure.ts';
import type { AdapterOptions, Handler } from './handler.ts';
import type { Pages } from './pages/pages.ts';
import { mediaType, messageLimit } from './request/body.ts';
import { callProcedure } from './rest.ts';

const formType = 'application/x-www-form-urlencoded';

/** Whether the request is the post of an HTML form. */
export const isFormPost = (req: IncomingMessage) =>
  req.method === 'POST' && mediaType(req) === formType;

/** Creates the handler of the form post, which responds with an HTML page. */
export function createContactForm(
  pages: Pages,
  { createContext, body, report }: AdapterOptions,
): Handler {
  return async function contactForm(req, res) {
    let form: URLSearchParams | undefined;
    const textOf = (name: string) => form?.get(name) ?? '';
    try {
      form = new URLSearchParams(await body.text(req, messageLimit));
      const input = { ...eachField(textOf, textOf), hq7x: textOf('hq7x') };
      await callProcedure('contact.submit', input, createContext(req, res));
      await pages.fill(res, 'contact-sent', 200, {});
    } catch (error) {
      const { status, message } = await formFailure({ report }, error, { req, res });
      const advice = form ? message : `${message} ${goBack}`;
      await pages.fill(res, 'contact-failed', status, {
        ...eachField(textOf, textOf),
        error: advice,
      });
    }
  };
}

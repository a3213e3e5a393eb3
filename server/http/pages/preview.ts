/** A rendered page as the editor shows it: no script runs in it, and only screens of this site frame it. */
import { readInline } from '../security.ts';
import { type Pages, sendFilled } from './pages.ts';
import type { TemplateVariables } from './template.ts';

export type Scheme = 'light' | 'dark';

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'X-Frame-Options': 'SAMEORIGIN',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
};

/**
 * @param text the rendered page
 * @param settings the template variables of the server's settings
 * @param scheme the colour scheme of the page; undefined: what the browser prefers
 */
export function createPreview(
  text: string,
  settings: TemplateVariables,
  scheme: Scheme | undefined,
): Pick<Pages, 'fill'> {
  // The policy forbids scripts, and browsers report each that is there.
  const html = readInline(text)
    .html.replaceAll(/<script\b.*?<\/script>/gs, '')
    .replaceAll(' autofocus=""', '');
  return {
    fill: (res, _name, status, variables) =>
      sendFilled(res, {
        html: scheme ? inScheme(html, scheme) : html,
        headers,
        status,
        // The editor's frame is no dialog: a booking page has its header here.
        variables: { ...settings, ...variables, isFramed: false },
      }),
  };
}

/** The page in one colour scheme, whatever the browser prefers. */
const inScheme = (html: string, scheme: Scheme): string =>
  html
    .replaceAll(/\(prefers-color-scheme: (light|dark)\)/g, (_, name) =>
      name === scheme ? 'all' : 'not all',
    )
    .replace('name="color-scheme" content="light dark"', `name="color-scheme" content="${scheme}"`);

import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { fieldNames, fieldOf } from '../../server/contract/contact-fields.ts';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { ContactFailed, ContactSent } from './answer-pages.tsx';

const rendered = (element: React.ReactElement) =>
  renderToStaticMarkup(<AppProviders cache={styleCache()}>{element}</AppProviders>);

test('the thank-you page shows the site’s copy and links to the home page', () => {
  const html = rendered(<ContactSent />);
  expect(html).toContain('Thanks for reaching out! I&#x27;ll get back to you soon.');
  expect(html).toContain('href="/"');
});

test('the failure page has template variables for the error and every field', () => {
  const html = rendered(<ContactFailed />);
  expect(html).toMatch(/role="alert"[^>]*>\{\{error\}\}</);
  expect(html).toMatch(/<form [^>]*action="\/api\/contact" method="post"/);
  for (const name of fieldNames.filter((name) => !fieldOf(name).rows)) {
    expect(html).toMatch(new RegExp(`<input [^>]*name="${name}"[^>]*value="{{${name}}}"`));
  }
  expect(html).toMatch(/<textarea [^>]*name="message"[^>]*>\{\{message\}\}</);
});

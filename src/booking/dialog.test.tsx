import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { fillTemplate } from '../../server/http/template.ts';
import { site } from '../../site.config.ts';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { BookingButton } from './button.tsx';
import { BookingDialog } from './dialog.tsx';

vi.mock('../../site.config.ts', async () => {
  const { site } = await import('../../server/testing/sample-config.ts');
  const schedulers = { strategyCall: 'https://cal.com/rowan/call', inboxReview: '' };
  return { site: { ...site, schedulers } };
});

const rendered = (element: React.ReactElement) =>
  renderToStaticMarkup(<AppProviders cache={styleCache()}>{element}</AppProviders>);

/** The page as the server sends it, with and without the frame. */
const forms = (html: string) => {
  const unframed = { strategyCallUnframed: 'yes' };
  return { framed: fillTemplate(html, {}), unframed: fillTemplate(html, unframed) };
};

test('the frame of a connected calendar waits in a template, beside a way around it', () => {
  const { framed } = forms(rendered(<BookingDialog books="strategy-call" />));
  const [template] = framed.match(/<template data-on-open="">.*<\/template>/) ?? [''];
  for (const attribute of [
    'src="https://cal.com/rowan/call"',
    'title="Book your free strategy call"',
    'width="100%"',
    'height="560"',
    'loading="lazy"',
    'allow="payment"',
    'referrerPolicy="strict-origin-when-cross-origin"',
  ]) {
    expect(template).toContain(attribute);
  }
  expect(template).toContain(site.dialogs.loading);
  const around = framed.replace(template, '');
  expect(around).not.toContain('<iframe');
  expect(around).toMatch(/<p role="status" [^>]*data-late="The calendar is not [^"]+"[^>]*><\/p>/);
  expect(around).toMatch(/<a [^>]*href="https:\/\/cal.com\/rowan\/call"[^>]*rel="noopener"/);
  expect(around).toContain('href="mailto:');
  expect(around).not.toContain(site.dialogs.unframed);
});

test('while it refuses to be framed there is no frame, but words, a link to it and the e-mail', () => {
  const { unframed } = forms(rendered(<BookingDialog books="strategy-call" />));
  expect(unframed.match(/<dialog /g)).toHaveLength(1);
  expect(unframed).not.toMatch(/iframe|template|560|\{\{/);
  expect(unframed).not.toContain('data-size');
  expect(unframed).toContain(site.dialogs.unframed);
  expect(unframed).toMatch(/<a [^>]*href="https:\/\/cal.com\/rowan\/call"[^>]*rel="noopener"/);
  expect(unframed).toContain('href="mailto:');
});

test('a calendar without an address has no frame: the dialog says so, and offers the e-mail', () => {
  const html = rendered(<BookingDialog books="inbox-review" />);
  expect(html).not.toContain('iframe');
  expect(html).toContain('The calendar is not connected yet');
  expect(html).toContain('href="mailto:');
});

test('without JavaScript a link to the calendar takes the place of the button', () => {
  const html = rendered(<BookingButton control="hero">Book</BookingButton>);
  expect(html).toMatch(/<button [^>]*command="show-modal"[^>]*commandfor="strategy-call"/);
  expect(html).toMatch(/<noscript><a [^>]*href="https:\/\/cal.com\/rowan\/call"[^>]*>Book<\/a>/);
});

import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { fillTemplate } from '../../server/http/pages/template.ts';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { words } from '../ui/site-words.ts';
import { BookingButton } from './button.tsx';
import { BookingDialog } from './dialog.tsx';

vi.mock('../../site.config.ts', async () => {
  const { site } = await import('../../server/testing/sample-config.ts');
  const schedulers = { strategyCall: 'https://cal.com/rowan/call', inboxReview: '' };
  return { site: { ...site, schedulers } };
});

const rendered = (element: React.ReactElement) =>
  renderToStaticMarkup(<AppProviders cache={styleCache()}>{element}</AppProviders>);

test('the frame of a connected calendar is inside a template, with links as alternatives', () => {
  const html = fillTemplate(rendered(<BookingDialog kind="strategy-call" />), {});
  const [template] = html.match(/<template data-on-open="">.*<\/template>/) ?? [''];
  for (const attribute of [
    'src="https://cal.com/rowan/call"',
    'title="Book your free strategy call"',
    'width="100%"',
    'height="560"',
    'loading="lazy"',
    'allow="payment"',
    'referrerPolicy="strict-origin-when-cross-origin"',
    'data-webhook=""',
  ]) {
    expect(template).toContain(attribute);
  }
  expect(template).toContain(words.dialogs.loading);
  const outside = html.replace(template, '');
  expect(outside).not.toContain('<iframe');
  expect(outside).toMatch(
    /<p role="status" [^>]*data-late="The calendar is slow [^"]+"[^>]*><\/p>/,
  );
  expect(outside).toMatch(/<a [^>]*href="https:\/\/cal.com\/rowan\/call"[^>]*rel="noopener"/);
  expect(outside).toContain('href="mailto:');
});

test('the frame and the link of a calendar name the service whose webhook counts the calls', () => {
  const html = rendered(<BookingDialog kind="strategy-call" />);
  const filled = fillTemplate(html, { calWebhook: 'cal' });
  expect(filled).toMatch(/<iframe [^>]*data-webhook="cal"/);
  expect(filled).toMatch(/<a [^>]*data-webhook="cal"/);
});

test('without a calendar elsewhere the frame shows the page of this site', () => {
  const html = rendered(<BookingDialog kind="inbox-review" />);
  expect(html).toMatch(
    /<template data-on-open=""><iframe title="[^"]+" src="\/book\/inbox-review" width="750" height="560"><\/iframe>/,
  );
  expect(html).not.toContain('{{');
});

test('a booking button is replaced by a link to the calendar without JavaScript', () => {
  const html = rendered(<BookingButton button="hero">Book</BookingButton>);
  expect(html).toMatch(/<button [^>]*command="show-modal"[^>]*commandfor="strategy-call"/);
  expect(html).toMatch(/<noscript><a [^>]*href="https:\/\/cal.com\/rowan\/call"[^>]*>Book<\/a>/);
});

import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { Shell, styleCache } from '../shell.tsx';
import { BookingButton } from './button.tsx';
import { BookingDialog } from './dialog.tsx';

vi.mock('../../site.config.ts', async (original) => {
  const { site } = await original<typeof import('../../site.config.ts')>();
  const schedulers = { strategyCall: 'https://cal.com/rowan/call', inboxReview: '' };
  return { site: { ...site, schedulers } };
});

const rendered = (element: React.ReactElement) =>
  renderToStaticMarkup(<Shell cache={styleCache()}>{element}</Shell>);

test('the frame of a connected calendar waits in a template, beside a way around it', () => {
  const html = rendered(<BookingDialog books="strategy-call" />);
  const [template] = html.match(/<template data-on-open="">.*<\/template>/) ?? [''];
  for (const attribute of [
    'src="https://cal.com/rowan/call"',
    'title="Book your free strategy call"',
    'width="100%"',
    'height="560"',
    'loading="lazy"',
    'referrerPolicy="strict-origin-when-cross-origin"',
  ]) {
    expect(template).toContain(attribute);
  }
  const around = html.replace(template, '');
  expect(around).not.toContain('<iframe');
  expect(around).toMatch(/<a [^>]*href="https:\/\/cal.com\/rowan\/call"[^>]*rel="noopener"/);
  expect(around).toContain('href="mailto:');
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

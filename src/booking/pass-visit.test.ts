import { beforeEach, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { passVisit } from './pass-visit.ts';

isolateEachTest();

const calendly =
  'https://calendly.com/ada/call?hide_gdpr_banner=1&utm_source=site&utm_campaign=own';
const cal = 'https://cal.com/ada/review';

/** A dialog with a calendar, as `dialog.tsx` renders it. */
const dialog = (address: string, webhook: string) => `<dialog>
  <template data-on-open><iframe src="${address}" data-webhook="${webhook}"></iframe></template>
  <a href="${address}" data-webhook="${webhook}">New tab</a></dialog>`;

beforeEach(() => {
  vi.stubGlobal('navigator', {});
  document.body.innerHTML =
    dialog(calendly, 'calendly') + dialog(cal, 'cal') + dialog('https://cal.com/ada/other', '');
});

/** Simulates a visit and a press of a button, which the boot script stores. */
function visit({ search = '', referrer = '', button = '' } = {}) {
  vi.stubGlobal('location', { search, hostname: 'www.my-domain.com' });
  vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
  passVisit();
  if (button) press(button);
}

function press(button: string) {
  document.documentElement.dataset.button = button;
  document.body.click();
}

/** The queries of the links; those of the frames are the same. */
function queries() {
  const links = [...document.querySelectorAll('a')].map(({ href }) => href);
  const frames = [...document.querySelectorAll('template')].map(({ content }) =>
    content.querySelector('iframe')?.getAttribute('src'),
  );
  expect(frames).toEqual(links);
  return links.map((link) => Object.fromEntries(new URL(link).searchParams));
}

it('calendars get source, campaign and button of the visit, each under the names of its webhook', () => {
  visit({ search: '?utm_source=newsletter&utm_medium=email&page=2', button: 'hero' });
  expect(queries()).toEqual([
    {
      hide_gdpr_banner: '1',
      utm_source: 'newsletter',
      utm_medium: 'email',
      utm_content: 'hero',
    },
    {
      'metadata[utm_source]': 'newsletter',
      'metadata[utm_medium]': 'email',
      'metadata[utm_content]': 'hero',
    },
    {},
  ]);
});

it.each([
  { referrer: 'https://some-blog.com/a', source: 'some-blog.com' },
  { referrer: 'android-app://com.linkedin.android/', source: 'com.linkedin.android' },
  { search: '?gclid=abc', source: 'google' },
  { search: '?ref=podcast', source: 'podcast' },
])('the source of $referrer$search is passed on as $source', ({ source, ...arrival }) => {
  visit(arrival);
  expect(queries()[1]).toEqual({ 'metadata[utm_source]': source });
});

it.each(['ada@my-domain.com', 'ada%2540my-domain.com', 'ada＠my-domain.com'])(
  'the email address %s is not passed on',
  (address) => {
    visit({ search: `?utm_source=${address}&utm_medium=${address}&utm_campaign=for-${address}` });
    expect(queries()[1]).toEqual({ 'metadata[utm_source]': 'email' });
  },
);

it('a direct visit keeps the parameters of the owner, and passes its last button on', () => {
  visit({ referrer: 'https://my-domain.com/privacy', button: 'hero' });
  press('footer');
  const own = { hide_gdpr_banner: '1', utm_source: 'site', utm_campaign: 'own' };
  expect(queries()).toEqual([
    { ...own, utm_content: 'footer' },
    { 'metadata[utm_content]': 'footer' },
    {},
  ]);
});

it('with Global Privacy Control calendars get nothing of the visit', () => {
  vi.stubGlobal('navigator', { globalPrivacyControl: true });
  visit({ search: '?utm_source=newsletter', button: 'hero' });
  expect([...document.querySelectorAll('a')].map(({ href }) => href).slice(0, 2)).toEqual([
    calendly,
    cal,
  ]);
});

it('a frame that was inserted before this code loaded gets the visit, unless it has loaded', () => {
  const frame = document.querySelectorAll('template')[1]?.content.querySelector('iframe');
  const loaded = frame?.cloneNode() as HTMLIFrameElement;
  loaded.toggleAttribute('data-loaded', true);
  const loading = frame?.cloneNode() as HTMLIFrameElement;
  document.querySelector('dialog')?.append(loaded, loading);
  const set = vi.spyOn(loading, 'setAttribute');
  visit({ search: '?ref=podcast' });
  expect(loaded.getAttribute('src')).toBe(cal);
  expect(loading.src).toContain('podcast');
  expect(set).toHaveBeenCalledTimes(1);
});

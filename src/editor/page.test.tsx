import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { siteFields } from '../../server/content/fields.ts';
import { applyPatches, changesBetween } from '../../server/content/patch.ts';
import type { Outputs } from '../../server/contract/api.ts';
import {
  type Change,
  type Group,
  valueAt,
  withValue,
} from '../../server/contract/document-changes.ts';
import { documentWith } from '../../server/testing/document-edits.ts';
import { json, renderScreen } from '../testing/screen.tsx';
import { SitePage } from './page.tsx';

afterEach(cleanup);

// This environment loads no pages into frames; `e2e/site-editor.spec.ts` tests the preview.
vi.mock('./preview.tsx', () => ({ Preview: () => null }));

const sample: Group = documentWith();

let draft: Group;
let live: Group;
let alert: string | null;
let file: Outputs['site']['draft']['file'];
let mistakes: Outputs['site']['draft']['mistakes'];
let published: (body: unknown) => Response | Promise<Response>;
let tested: (body: unknown) => Response | Promise<Response>;

beforeEach(() => {
  localStorage.clear();
  [draft, live] = [sample, sample];
  file = null;
  alert = null;
  mistakes = [];
  published = () => json({ version: 2, publishedAt: '2026-11-27T12:00:00.000Z' });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const body = init?.body ? JSON.parse(String(init.body)) : undefined;
    switch (String(input)) {
      case '/api/site/fields':
        return json({ fields: siteFields({}) });
      case '/api/site/draft':
        if (init?.method === 'POST') {
          const result = applyPatches(draft, (body as { patches: Change[] }).patches);
          draft = result.document;
          return json({ revision: 1, mistakes: [], conflicts: result.conflicts });
        }
        return json({
          ...{ document: draft, revision: 1, live: null, mistakes, file, isReadOnly: false },
          changes: changesBetween(live, draft),
        } satisfies Outputs['site']['draft']);
      case '/api/site/publish':
        return published(body);
      case '/api/settings/test-address':
        return tested(body);
      case '/api/settings/launch-check':
        return json({ checks: [] });
      default:
        return json({ unread: 0, alert, isDemo: false });
    }
  });
});

async function open(at = '/analytics/site') {
  renderScreen(<SitePage />, { at });
  await screen.findByRole('heading', { level: 1, name: 'Site' });
  return userEvent.setup();
}

const saved = (path: string) => valueAt(draft, path);

test('what site.config.ts says otherwise is compared, and taken over only on request', async () => {
  file = {
    version: 3,
    changes: [
      { path: 'hero.title', from: valueAt(sample, 'hero.title'), to: 'From the file' },
      { path: 'tagline', from: sample.tagline, to: 'Also from the file' },
    ],
  };
  const user = await open();
  screen.getByText('site.config.ts has 2 other texts than your draft.');
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  await user.click(screen.getByRole('button', { name: 'Take over Hero · Headline' }));
  screen.getByText('site.config.ts has 1 other text than your draft.');
  await waitFor(() => expect(saved('hero.title')).toBe('From the file'));
  expect(saved('tagline')).toBe(sample.tagline);
  await user.click(
    within(screen.getByRole('dialog')).getByRole('button', { name: 'Take them over' }),
  );
  expect(screen.queryByText(/^site.config.ts has/)).toBeNull();
  await waitFor(() => expect(saved('tagline')).toBe('Also from the file'));
});

test('the last entry that a list needs is not removed', async () => {
  draft = withValue(sample, 'about.text', ['The only paragraph.']);
  const user = await open('/analytics/site?section=about');
  await user.click(screen.getByRole('button', { name: 'Delete Paragraph 1' }));
  screen.getByText('At least one paragraph must stay.');
  screen.getByDisplayValue('The only paragraph.');
});

test('a colour with too little contrast gets the nearest shade that can be read', async () => {
  const user = await open('/analytics/site?section=colours');
  const [field] = screen.getAllByRole('textbox', { name: 'As # and six digits' });
  if (!field) throw new Error('no field');
  await user.clear(field);
  await user.type(field, '#D9480F');
  screen.getByText(/^Hard to read: 3\.6, needs 4\.5\./);
  const use = screen.getByRole('button', { name: /^Use #/ });
  await user.click(use);
  expect((field as HTMLInputElement).value).toBe(use.textContent?.slice('Use '.length));
  expect(screen.queryByText(/^Hard to read/)).toBeNull();
});

test('a conflict of lists does not say that the other entries are saved', async () => {
  const user = await open('/analytics/site?field=faq.items.0.answer');
  const [first, ...rest] = valueAt(sample, 'faq.items') as Group[];
  draft = withValue(sample, 'faq.items', [...rest, { ...first, answer: 'Theirs' }]);
  await user.type(screen.getByRole('textbox', { name: 'Answer' }), ' Mine');
  const card = await screen.findByRole('group', { name: 'Changed in another tab' });
  within(card).getByText(/saved once you have chosen\.$/);
  expect(saved('faq.items.4.answer')).toBe('Theirs');
});

test('a draft that another tab changed is not published unseen', async () => {
  draft = withValue(sample, 'hero.title', 'Mine');
  published = () => {
    draft = withValue(draft, 'tagline', 'From another tab');
    return json({ error: 'The draft has changed.', code: 'DRAFT_CHANGED' }, 409);
  };
  const user = await open();
  await user.click(screen.getByRole('button', { name: 'Publish 1 change' }));
  const panel = screen.getByRole('dialog');
  await user.click(within(panel).getByRole('button', { name: 'Publish' }));
  await within(panel).findByText(/^The draft was changed in another tab/);
  within(panel).getByText('From another tab');
});

test('a change of this tab that was saved during a publish is not said to be of another tab', async () => {
  draft = withValue(withValue(sample, 'hero.title', 'Mine'), 'tagline', 'Also mine');
  let respond: (response: Response) => void = () => {};
  published = () =>
    new Promise((resolve) => {
      respond = resolve;
    });
  const user = await open();
  await user.click(screen.getByRole('button', { name: 'Publish 2 changes' }));
  const panel = screen.getByRole('dialog');
  await user.click(within(panel).getByRole('button', { name: 'Publish' }));
  await user.click(within(panel).getByRole('button', { name: /^Revert Tagline/ }));
  await waitFor(() => expect(saved('tagline')).toBe(sample.tagline));
  respond(json({ error: 'The draft has changed.', code: 'DRAFT_CHANGED' }, 409));
  await within(panel).findByText(/^The last change is not published yet\./);
});

test('a photo is shown as a picture in a conflict and among the changes', async () => {
  draft = withValue(sample, 'about.photo', '/photos/1.jpg');
  const user = await open('/analytics/site?field=about.photo');
  const field = screen.getByRole('group', { name: /^Photo of you/ });
  await user.click(screen.getByRole('button', { name: 'Publish 1 change' }));
  const panel = screen.getByRole('dialog');
  within(panel).getByText('a sample picture');
  expect(within(panel).getByRole('img', { name: 'a photo' }).getAttribute('src')).toBe(
    '/photos/1.jpg',
  );
  await user.click(within(panel).getByRole('button', { name: 'Keep editing' }));
  await user.click(within(field).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(saved('about.photo')).toBe(''));
  draft = withValue(draft, 'about.photo', '/photos/2.jpg');
  await user.click(within(field).getByRole('button', { name: 'Revert Photo of you' }));
  const card = await screen.findByRole('group', { name: 'Changed in another tab' });
  expect(within(card).getByRole('img', { name: 'a photo' }).getAttribute('src')).toBe(
    '/photos/2.jpg',
  );
});

test('hours of a day are added, changed and removed', async () => {
  const user = await open('/analytics/site?section=calls');
  const monday = screen.getByRole('group', { name: /^Monday/ });
  await user.click(within(monday).getByRole('button', { name: 'Add hours' }));
  await waitFor(() => expect(saved('calls.hours.monday')).toEqual(['10:00-12:00']));
  await user.click(within(monday).getByRole('button', { name: 'Remove 10:00 – 12:00' }));
  await waitFor(() => expect(saved('calls.hours.monday')).toEqual([]));
});

test('an address is tested on request, and its result stays until it changes', async () => {
  const address = 'https://form.test/mine';
  draft = withValue(sample, 'links.quiz', address);
  let respond: (response: Response) => void = () => {};
  tested = (body) => {
    expect(body).toEqual({ address });
    return new Promise((resolve) => {
      respond = resolve;
    });
  };
  const user = await open('/analytics/site?field=links.quiz');
  const link = screen.getByRole('link', { name: 'Open it in a new tab: Address of your quiz' });
  expect(link.getAttribute('href')).toBe(address);
  expect(link.getAttribute('rel')).toBe('noreferrer');
  const test = screen.getByRole('button', { name: 'Test Address of your quiz' });
  await user.click(test);
  await user.click(test);
  screen.getByText('Testing …');
  respond(json({ problem: null }));
  await screen.findByText('It responds.');

  await user.click(test);
  expect(screen.queryByText('It responds.')).toBeNull();
  const problem = 'It leads to a page that does not exist (404). Copy the address again.';
  respond(json({ problem }));
  expect((await screen.findByText(problem)).closest('[role=status]')).not.toBeNull();

  await user.click(test);
  respond(json({ error: 'Too many requests.', code: 'RATE_LIMITED' }, 429));
  await screen.findByText('Too many requests.');

  const field = screen.getByDisplayValue(address);
  await user.type(field, '/2');
  expect(screen.queryByText('Too many requests.')).toBeNull();
  await user.clear(field);
  expect(screen.queryByRole('button', { name: 'Test Address of your quiz' })).toBeNull();
});

test('an address with a mistake cannot be tested', async () => {
  draft = withValue(sample, 'links.quiz', 'https://form');
  mistakes = [{ path: 'links.quiz', message: 'Please enter a web address.' }];
  await open('/analytics/site?field=links.quiz');
  screen.getByText('Please enter a web address.');
  expect(screen.queryByRole('button', { name: 'Test Address of your quiz' })).toBeNull();
});

test('the screen shows the owner alerts', async () => {
  alert = 'Emails are not sent.';
  await open();
  await screen.findByText('Emails are not sent.');
});

test('a screen whose data cannot be loaded says so', async () => {
  vi.mocked(fetch).mockImplementation(async () => new Response('', { status: 502 }));
  renderScreen(<SitePage />, { at: '/analytics/site' });
  await screen.findByText('Could not load this. Reload the page.');
});

/** Presses the focused button, and resolves when it is gone and the focus is elsewhere. */
async function pressAway(name: string | RegExp, container: HTMLElement = document.body) {
  const button = within(container).getByRole('button', { name });
  button.focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(button.isConnected).toBe(false));
  await expect.poll(() => document.activeElement).not.toBe(document.body);
  return document.activeElement;
}
const heading = () => screen.getByRole('heading', { level: 1 });

test('focus moves to the heading when a notice of restored words is hidden', async () => {
  const left = { base: sample, document: withValue(sample, 'tagline', 'Unsent') };
  localStorage.setItem('site-draft:closed', JSON.stringify(left));
  await open();
  await screen.findByText(/^These words were not saved/);
  expect(await pressAway('Hide this')).toBe(heading());
});

test('focus stays in the panel, then moves to the heading, when texts of the file are taken over', async () => {
  file = {
    version: 3,
    changes: ['tagline', 'hero.title', 'faq.title'].map((path) => ({ path, to: 'From the file' })),
  };
  const user = await open();
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  const panel = screen.getByRole('dialog');
  expect(await pressAway(/^Take over Hero/)).toBe(within(panel).getByRole('heading'));
  expect(await pressAway('Take them over', panel)).toBe(heading());
});

test.each(['Keep mine', 'Take the other'])('focus moves to the field after %s', async (name) => {
  const user = await open();
  draft = withValue(draft, 'hero.title', 'Theirs');
  const field = screen.getByRole('textbox', { name: /^Headline/ });
  await user.type(field, '!');
  await screen.findByText(/^Changed in another tab/);
  expect(await pressAway(name)).toBe(field);
});

test('focus moves to the entry or the field when what was removed is restored', async () => {
  const user = await open('/analytics/site?section=about');
  await user.click(screen.getByRole('button', { name: 'Delete Paragraph 1' }));
  const list = screen.getByRole('button', { name: /^Add a paragraph/ }).closest('[data-path]');
  expect(list?.contains(await pressAway('Undo', list as HTMLElement))).toBe(true);
  cleanup();
  await open('/analytics/site?section=calls');
  const monday = screen.getByRole('group', { name: /^Monday/ });
  await user.click(within(monday).getByRole('button', { name: 'Add hours' }));
  await pressAway('Remove 10:00 – 12:00', monday);
  expect(monday.closest('[data-path]')?.contains(document.activeElement)).toBe(true);
});

test('focus moves to the heading when what says that the site is live, its Undo and its problem go', async () => {
  draft = withValue(sample, 'hero.title', 'Mine');
  published = () => {
    live = draft;
    return json({ version: 2, publishedAt: '2026-11-27T12:00:00.000Z' });
  };
  const publish = async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Publish 1 change' }));
    await pressAway('Publish', screen.getByRole('dialog'));
    expect(document.activeElement?.textContent).toMatch(/^Live since/);
  };
  const state = () => screen.getByRole('group', { name: 'State of the draft' });
  await open();
  await publish();
  // No version is known before this one.
  expect(await pressAway('Undo', state())).toBe(heading());
  expect(await pressAway('Hide this', screen.getByRole('alert'))).toBe(heading());

  draft = withValue(draft, 'tagline', 'Mine');
  document.dispatchEvent(new Event('visibilitychange'));
  await userEvent.click(await screen.findByRole('button', { name: 'Show it' }));
  await publish();
  draft = withValue(draft, 'faq.title', 'From another tab');
  document.dispatchEvent(new Event('visibilitychange'));
  await within(state()).findByText(/from another tab/);
  await expect.poll(() => document.activeElement).toBe(heading());
  await pressAway('Show it', state());
});

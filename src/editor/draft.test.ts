/** The draft of a tab against the patches, merges and mistakes of the real server, without its database. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { siteFields } from '../../server/content/fields.ts';
import { applyPatches, changesBetween } from '../../server/content/patch.ts';
import { type Group, valueAt } from '../../server/contract/document-changes.ts';
import { documentWith, edits } from '../../server/testing/document-edits.ts';
import { createDraft, type DraftServer } from './draft.ts';
import { type Field, indexFields } from './fields.ts';
import { removedAt } from './lists.ts';

const { shape } = indexFields(siteFields({}) as Field[]);
const sample = documentWith();

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => vi.useRealTimers());

/** A server that several tabs use; `failing` makes its calls reject. */
function fakeServer() {
  let document: Group = sample;
  let revision = 0;
  const state = { failing: false, loadMs: 0, refusedPath: '', losesResponse: false };
  const hasOwnWords = (stored: Group) =>
    stored.language === 'en' || valueAt(stored, 'labels.skip') !== valueAt(sample, 'labels.skip');
  const words = (stored: Group) =>
    hasOwnWords(stored) ? {} : { labels: { ...(stored.labels as Group), skip: 'Zum Inhalt' } };
  const loaded = () => ({
    ...{
      document: { ...document, ...words(document) },
      revision,
      live: null,
      mistakes: [],
      file: null,
      isReadOnly: false,
    },
    changes: changesBetween(sample, document),
  });
  const server: DraftServer = {
    async load() {
      const answer = loaded();
      await new Promise((resolve) => setTimeout(resolve, state.loadMs));
      if (state.failing) throw new Error('no network');
      return answer;
    },
    async save(patches) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (state.failing) throw new Error('no network');
      const index = patches.findIndex(({ path }) => path === state.refusedPath);
      if (index >= 0) throw new Error(`refused ${index}`);
      const result = applyPatches(document, structuredClone(patches));
      if (result.document !== document) revision++;
      ({ document } = result);
      if (state.losesResponse) throw new Error('no network');
      return { revision, mistakes: [], conflicts: result.conflicts };
    },
    refusalsIn: (error) => {
      const [, index] = /^refused (\d+)/.exec((error as Error).message) ?? [];
      return index === undefined ? [] : [{ index: Number(index), message: 'Refused.' }];
    },
    problemOf: () => ({ sentence: 'No connection.', retryMs: 5000 }),
  };
  return { server, loaded, state, at: (path: string) => valueAt(document, path) };
}

/** Opens a tab. Without locks in this environment, it takes over what all tabs before it have not saved. */
async function openTab({ server, loaded }: ReturnType<typeof fakeServer>) {
  const draft = createDraft(loaded(), { server, shape });
  await draft.start();
  return draft;
}

const settle = (ms = 2000) => vi.advanceTimersByTimeAsync(ms);

test('edits are saved once, 0.8 seconds after the last of them', async () => {
  const site = fakeServer();
  const save = vi.spyOn(site.server, 'save');
  const draft = await openTab(site);
  for (const text of ['N', 'Ne', 'New']) {
    draft.edit('hero.title', text);
    await settle(500);
  }
  expect(draft.state().save.kind).toBe('unsaved');
  await settle(400);
  expect(save).toHaveBeenCalledTimes(1);
  expect(site.at('hero.title')).toBe('New');
  expect(draft.state().save).toMatchObject({ kind: 'saved', at: Date.now() - 50 });
});

test('what is typed while a save is under way is saved after it', async () => {
  const site = fakeServer();
  const draft = await openTab(site);
  draft.edit('hero.title', 'First');
  await settle(820);
  draft.edit('hero.title', 'Second');
  expect(draft.state().save.kind).toBe('unsaved');
  await settle();
  expect(site.at('hero.title')).toBe('Second');
  expect(draft.state().save.kind).toBe('saved');
});

test('two tabs that change different fields both keep their words', async () => {
  const site = fakeServer();
  const [one, other] = [await openTab(site), await openTab(site)];
  one.edit('hero.title', 'Mine');
  await settle();
  other.edit('faq.items.1.answer', 'Theirs');
  await settle();
  expect(site.at('hero.title')).toBe('Mine');
  expect(site.at('faq.items.1.answer')).toBe('Theirs');
  expect(other.state().conflicts).toEqual([]);
  expect(other.state().unseen).toEqual(['hero.title']);
  void one.reload();
  await settle();
  expect(valueAt(one.state().document, 'faq.items.1.answer')).toBe('Theirs');
});

test('a field that two tabs changed asks, keeps what is typed meanwhile, and can be undone', async () => {
  const site = fakeServer();
  const [one, other] = [await openTab(site), await openTab(site)];
  one.edit('hero.title', 'Mine');
  await settle();
  other.edit('hero.title', 'Theirs');
  other.edit('tagline', 'Also');
  await settle();
  const [conflict] = other.state().conflicts;
  expect(conflict).toEqual({
    ...{ path: 'hero.title', mine: 'Theirs', theirs: 'Mine' },
    base: valueAt(sample, 'hero.title'),
  });
  expect(site.at('tagline')).toBe('Also');
  other.edit('hero.title', 'Theirs, longer');
  await settle();
  expect(site.at('hero.title')).toBe('Mine');
  expect(other.state().conflicts).toEqual([{ ...conflict, mine: 'Theirs, longer' }]);

  const [asked] = other.state().conflicts;
  if (asked) other.resolve(asked, 'theirs');
  await settle();
  expect(valueAt(other.state().document, 'hero.title')).toBe('Mine');
  other.undo();
  await settle();
  expect(site.at('hero.title')).toBe('Theirs, longer');
});

test('a conflict that is decided for this tab is saved, and undo has the other text', async () => {
  const site = fakeServer();
  const [one, other] = [await openTab(site), await openTab(site)];
  one.edit('hero.title', 'Mine');
  await settle();
  other.edit('hero.title', 'Theirs');
  await settle();
  const [conflict] = other.state().conflicts;
  if (conflict) other.resolve(conflict, 'mine');
  await settle();
  expect(site.at('hero.title')).toBe('Theirs');
  expect(other.state().conflicts).toEqual([]);
  other.undo();
  await settle();
  expect(site.at('hero.title')).toBe('Mine');
});

test('an edit of an entry lands on that entry when another tab moved it', async () => {
  const site = fakeServer();
  const [one, other] = [await openTab(site), await openTab(site)];
  const items = site.at('faq.items') as Group[];
  const [first, second, ...rest] = items;
  one.edit('faq.items', [second, first, ...rest], { isWhole: true });
  await settle();
  other.edit('faq.items.0.answer', 'Of the first question');
  await settle();
  expect(site.at('faq.items')).toEqual([
    second,
    { ...first, answer: 'Of the first question' },
    ...rest,
  ]);
});

test('words stay without a network, and are saved when it is back', async () => {
  const site = fakeServer();
  const draft = await openTab(site);
  site.state.failing = true;
  draft.edit('hero.title', 'Offline');
  await settle();
  expect(draft.state().save).toMatchObject({ kind: 'failed', sentence: 'No connection.' });
  draft.edit('tagline', 'Typed meanwhile');
  await settle(60_000);
  expect(draft.state().save.kind).toBe('failed');
  site.state.failing = false;
  await settle(6000);
  expect(draft.state().save.kind).toBe('saved');
  expect([site.at('hero.title'), site.at('tagline')]).toEqual(['Offline', 'Typed meanwhile']);
});

test('words that a closed tab could not save are in the next one, and ask where another tab changed them', async () => {
  const site = fakeServer();
  const closed = await openTab(site);
  site.state.failing = true;
  closed.edit('hero.title', 'Unsent');
  closed.edit('tagline', 'Unsent, too');
  await settle(100);
  closed.stop();
  await settle();
  site.state.failing = false;
  const other = createDraft(site.loaded(), { server: site.server, shape });
  other.edit('tagline', 'Saved by another');
  void other.flush();
  await settle(100);

  const next = await openTab(site);
  expect(valueAt(next.state().document, 'hero.title')).toBe('Unsent');
  expect(next.state().conflicts).toEqual([
    {
      ...{ path: 'tagline', mine: 'Unsent, too', theirs: 'Saved by another' },
      base: sample.tagline,
    },
  ]);
  await settle();
  expect(site.at('hero.title')).toBe('Unsent');
  expect(site.at('tagline')).toBe('Saved by another');
  expect(Object.keys(localStorage)).toHaveLength(1);
});

test('what a closed tab had not saved is named in the next one until the owner has read it', async () => {
  const site = fakeServer();
  const closed = await openTab(site);
  site.state.failing = true;
  closed.edit('hero.title', 'Unsent');
  closed.stop();
  await settle();
  site.state.failing = false;
  const next = await openTab(site);
  expect(next.state().restored).toEqual(['hero.title']);
  await settle();
  expect(next.state()).toMatchObject({ restored: ['hero.title'], save: { kind: 'saved' } });
  next.seeRestored();
  expect(next.state().restored).toEqual([]);
  expect((await openTab(site)).state().restored).toEqual([]);
});

test('the words of two closed tabs for one field are both offered, also after another reload', async () => {
  const site = fakeServer();
  const tabs = [await openTab(site), await openTab(site)];
  const words = ['From one', 'From the other'];
  site.state.failing = true;
  for (const [i, tab] of tabs.entries()) tab.edit('hero.title', words[i]);
  for (const tab of tabs) tab.stop();
  await settle();

  // Nothing can be saved yet, so that both have to stay in the browser.
  const offline = await openTab(site);
  await settle();
  expect(words).toContain(valueAt(offline.state().document, 'hero.title'));
  offline.stop();
  await settle();
  expect(words.every((text) => Object.values(localStorage).join().includes(text))).toBe(true);

  site.state.failing = false;
  const next = await openTab(site);
  await settle();
  const [asked, ...others] = next.state().conflicts;
  expect(others).toEqual([]);
  expect([asked?.mine, asked?.theirs].sort()).toEqual(words);
  expect(site.at('hero.title')).toBe(asked?.theirs);
  next.stop();
  await settle();
  const last = await openTab(site);
  expect(last.state().conflicts).toEqual([asked]);
  if (asked) last.resolve(asked, 'mine');
  await settle();
  expect(site.at('hero.title')).toBe(asked?.mine);
  expect(last.state().conflicts).toEqual([]);
});

test('a change that is made after the screen closed is saved, or left to the next tab', async () => {
  const site = fakeServer();
  const draft = await openTab(site);
  draft.stop();
  await settle();
  draft.edit('about.photo', '/photos/late.jpg');
  await settle();
  expect(site.at('about.photo')).toBe('/photos/late.jpg');
  expect(Object.keys(localStorage)).toEqual([]);
  site.state.failing = true;
  draft.edit('about.photo', '/photos/later.jpg');
  await settle();
  site.state.failing = false;
  const next = await openTab(site);
  await settle();
  expect(next.state().restored).toEqual(['about.photo']);
  expect(site.at('about.photo')).toBe('/photos/later.jpg');
});

test('the words of another language are loaded once it is saved, and what is typed meanwhile stays', async () => {
  const site = fakeServer();
  const draft = await openTab(site);
  const skip = () => valueAt(draft.state().document, 'labels.skip');
  const english = skip();
  draft.edit('language', 'de', { isWhole: true });
  await settle(820);
  draft.edit('hero.title', 'Typed meanwhile');
  await settle();
  expect(skip()).toBe('Zum Inhalt');
  expect(draft.state()).toMatchObject({ unseen: [], conflicts: [], save: { kind: 'saved' } });
  expect(site.at('hero.title')).toBe('Typed meanwhile');
  expect(site.at('labels.skip')).toBe(english);
  draft.edit('language', 'en', { isWhole: true });
  await settle();
  expect(skip()).toBe(english);
});

test.each<[string, string, string, string[]]>([
  ['the words of another language', 'language', 'de', []],
  ['what another tab changed', 'tagline', 'Mine', ['about.title']],
])('a load of %s that fails after a save is made again', async (_, path, to, unseen) => {
  const site = fakeServer();
  const [draft, other] = [await openTab(site), await openTab(site)];
  for (const one of unseen) other.edit(one, 'Theirs');
  await settle();
  site.state.loadMs = 100;
  draft.edit(path, to, { isWhole: true });
  await settle(900);
  expect(site.at(path)).toBe(to);
  site.state.failing = true;
  await settle(200);
  expect(draft.state().save.kind).toBe('failed');
  site.state.failing = false;
  await settle(10_000);
  const { document } = draft.state();
  expect(document).toEqual(site.loaded().document);
  expect(draft.state()).toMatchObject({ unseen, conflicts: [], save: { kind: 'saved' } });
});

test('a screen that opens again goes on with the save under way, and takes over one that failed meanwhile', async () => {
  const site = fakeServer();
  const draft = await openTab(site);
  const title = () => valueAt(draft.state().document, 'hero.title');
  draft.edit('hero.title', 'Under way');
  await settle(820);
  draft.stop();
  void draft.start();
  site.state.failing = true;
  await settle(100);
  expect(draft.state()).toMatchObject({ restored: [], save: { kind: 'failed' } });
  expect(title()).toBe('Under way');

  draft.stop();
  await settle();
  expect(title()).toBe(valueAt(sample, 'hero.title'));
  site.state.failing = false;
  void draft.start();
  await settle();
  expect(draft.state()).toMatchObject({ restored: ['hero.title'], save: { kind: 'saved' } });
  expect(site.at('hero.title')).toBe('Under way');
  draft.undo();
  await settle();
  expect(site.at('hero.title')).toBe(valueAt(sample, 'hero.title'));
});

test('words that are saved when the screen closes are left to no other tab', async () => {
  const site = fakeServer();
  const draft = await openTab(site);
  draft.edit('hero.title', 'Last words');
  draft.stop();
  await settle();
  expect(site.at('hero.title')).toBe('Last words');
  expect(Object.keys(localStorage)).toEqual([]);
});

test('a value that another tab saved and this one has as well is not to be looked at', async () => {
  const site = fakeServer();
  const [draft, other] = [await openTab(site), await openTab(site)];
  other.edit('tagline', 'The same');
  await settle();
  site.state.loadMs = 500;
  void draft.reload();
  await settle(100);
  draft.edit('tagline', 'The same');
  await settle();
  expect(draft.state()).toMatchObject({ unseen: [], conflicts: [], save: { kind: 'saved' } });
});

test('a slow load does not replace what is typed and saved meanwhile', async () => {
  const site = fakeServer();
  const draft = await openTab(site);
  site.state.loadMs = 2000;
  void draft.reload();
  await settle(10);
  draft.edit('hero.title', 'Typed on return');
  await settle(4000);
  expect(valueAt(draft.state().document, 'hero.title')).toBe('Typed on return');
  expect(site.at('hero.title')).toBe('Typed on return');
});

test('a save whose response is lost is no conflict with what is typed after it', async () => {
  const site = fakeServer();
  const draft = await openTab(site);
  site.state.losesResponse = true;
  draft.edit('hero.title', 'X');
  await settle(900);
  site.state.losesResponse = false;
  draft.edit('hero.title', 'XY');
  await settle(10_000);
  expect(draft.state()).toMatchObject({ conflicts: [], unseen: [], save: { kind: 'saved' } });
  expect(site.at('hero.title')).toBe('XY');
});

test('a lost response is no conflict either after another save that did not arrive', async () => {
  const site = fakeServer();
  const draft = await openTab(site);
  site.state.losesResponse = true;
  draft.edit('hero.title', 'Arrives');
  await settle(1000);
  site.state.losesResponse = false;
  site.state.failing = true;
  draft.edit('hero.title', 'Arrives later');
  await settle();
  expect(site.at('hero.title')).toBe('Arrives');
  site.state.failing = false;
  await settle(6000);
  expect(draft.state()).toMatchObject({ conflicts: [], save: { kind: 'saved' } });
  expect(site.at('hero.title')).toBe('Arrives later');
});

test('what the server refuses is named, and keeps nothing else from being saved', async () => {
  const site = fakeServer();
  const draft = await openTab(site);
  site.state.refusedPath = 'tagline';
  draft.edit('tagline', 'Refused');
  draft.edit('hero.title', 'Accepted');
  await settle();
  expect(site.at('hero.title')).toBe('Accepted');
  expect(draft.state().mistakes).toEqual([{ path: 'tagline', message: 'Refused.' }]);
  site.state.refusedPath = '';
  draft.edit('tagline', 'Accepted, too');
  await settle();
  expect(site.at('tagline')).toBe('Accepted, too');
  expect(draft.state().mistakes).toEqual([]);
});

test('entries that two tabs add are both kept', async () => {
  const site = fakeServer();
  const [one, other] = [await openTab(site), await openTab(site)];
  const items = site.at('faq.items') as Group[];
  const added = (id: string) => ({ id, question: id, answer: id });
  one.edit('faq.items', [...items, added('x')], { isWhole: true });
  await settle();
  other.edit('faq.items', [...items, added('y')], { isWhole: true });
  await settle();
  expect(site.at('faq.items')).toEqual([...items, added('y'), added('x')]);
});

test('a tab without locks takes nothing from one that was opened after it', async () => {
  const site = fakeServer();
  const [draft, other] = [await openTab(site), await openTab(site)];
  site.state.failing = true;
  other.edit('hero.title', 'Typed in the other one');
  draft.edit('tagline', 'Mine');
  await settle();
  site.state.failing = false;
  // The first tab is saved, and looks for what closed tabs have left, before the other one tries again.
  void draft.flush();
  await settle(100);
  expect(draft.state()).toMatchObject({ restored: [], save: { kind: 'saved' } });
  expect(valueAt(other.state().document, 'hero.title')).toBe('Typed in the other one');
  expect(Object.values(localStorage).join()).toContain('Typed in the other one');
});

test('undo changes no other entry after another tab has moved entries', async () => {
  const site = fakeServer();
  const [one, other] = [await openTab(site), await openTab(site)];
  const [first, second, ...rest] = site.at('faq.items') as Group[];
  other.edit('faq.items', [second, first, ...rest], { isWhole: true });
  await settle();
  one.edit('faq.items.0.question', 'Of the first');
  await settle();
  const moved = [second, { ...first, question: 'Of the first' }, ...rest];
  expect(site.at('faq.items')).toEqual(moved);
  expect(one.state().canUndo).toBe(false);
});

test('undo changes no other entry after the words of a closed tab have moved entries', async () => {
  const site = fakeServer();
  const closed = [await openTab(site), await openTab(site)] as const;
  const quotes = site.at('testimonials.quotes') as Group[];
  const added = { ...quotes[0], name: 'New', photo: '' };
  site.state.failing = true;
  closed[0].edit('hero.title', 'Unsent');
  closed[1].edit('testimonials.quotes', [added, ...quotes], { isWhole: true });
  for (const tab of closed) tab.stop();
  await settle();
  site.state.failing = false;
  // The words of the second tab follow when this change is saved.
  const next = await openTab(site);
  next.edit('testimonials.quotes.0.photo', '', { isWhole: true });
  await settle();
  const moved = [added, { ...quotes[0], photo: '' }, ...quotes.slice(1)];
  expect(site.at('testimonials.quotes')).toEqual(moved);
  next.undo();
  await settle();
  expect(site.at('testimonials.quotes')).toEqual(moved);
});

test('undo of a value that another tab changed since does nothing', async () => {
  const site = fakeServer();
  const [one, other] = [await openTab(site), await openTab(site)];
  one.edit('hero.title', 'Mine');
  await settle();
  void other.reload();
  await settle();
  other.edit('hero.title', 'Theirs');
  await settle();
  void one.reload();
  await settle();
  expect(one.undo()).toBeUndefined();
  expect(valueAt(one.state().document, 'hero.title')).toBe('Theirs');
});

test('words of a closed tab follow their entry, and ask when another tab removed it', async () => {
  for (const isRemoved of [false, true]) {
    localStorage.clear();
    const site = fakeServer();
    const closed = await openTab(site);
    const other = await openTab(site);
    const [first, ...rest] = site.at('faq.items') as Group[];
    site.state.failing = true;
    closed.edit('faq.items.0.answer', 'It took an hour.');
    closed.stop();
    await settle();
    site.state.failing = false;
    other.edit('faq.items', isRemoved ? rest : [...rest, first], { isWhole: true });
    await settle();
    const next = await openTab(site);
    await settle();
    const { conflicts } = next.state();
    expect(conflicts.map(({ path }) => path)).toEqual(isRemoved ? ['faq.items'] : []);
    expect(JSON.stringify(next.state().document)).toContain('It took an hour.');
  }
});

test('a conflict in one field of an entry holds back no other field of it', async () => {
  const site = fakeServer();
  const [one, other] = [await openTab(site), await openTab(site)];
  one.edit('faq.items.0.answer', 'Theirs');
  await settle();
  other.edit('faq.items.0.answer', 'Mine');
  other.edit('faq.items.0.question', 'Also mine?');
  await settle();
  expect(other.state().conflicts).toMatchObject([{ path: 'faq.items.0.answer' }]);
  expect(site.at('faq.items.0')).toMatchObject({ question: 'Also mine?', answer: 'Theirs' });
  expect(valueAt(other.state().document, 'faq.items.0.answer')).toBe('Mine');
});

test('undo takes back whole changes, and redo makes them again', async () => {
  const draft = await openTab(fakeServer());
  const title = () => valueAt(draft.state().document, 'hero.title');
  const original = title();
  for (const text of ['N', 'Ne', 'New']) draft.edit('hero.title', text);
  draft.endChange();
  for (const text of ['Newer', 'Newest']) draft.edit('hero.title', text);
  draft.undo();
  expect(title()).toBe('New');
  draft.undo();
  expect(title()).toBe(original);
  expect(draft.state()).toMatchObject({ canUndo: false, canRedo: true, changes: [] });
  draft.redo();
  draft.redo();
  expect(title()).toBe('Newest');
  draft.undo();
  draft.edit('hero.title', 'Another');
  expect(draft.state().canRedo).toBe(false);
});

test('whatever two tabs edit in turns, no value is lost that only one of them changed', async () => {
  await fc.assert(
    fc.asyncProperty(edits, edits, async (first, second) => {
      localStorage.clear();
      const site = fakeServer();
      const tabs = [await openTab(site), await openTab(site)] as const;
      const makeEdits = (draft: (typeof tabs)[0], list: typeof first) => {
        for (const edit of list) {
          const change = edit(draft.state().document);
          if (change) draft.edit(change.path, change.to, { isWhole: true });
        }
        return draft.state().document;
      };
      const [mine, theirs] = [makeEdits(tabs[0], first), makeEdits(tabs[1], second)];
      await settle();
      void tabs[0].reload();
      await settle();
      const { conflicts, document } = tabs[1].state();
      const asked = (path: string) =>
        conflicts.some(
          (one) =>
            path === one.path || path.startsWith(`${one.path}.`) || one.path.startsWith(`${path}.`),
        );
      const own = changesBetween(sample, theirs);
      const others = changesBetween(sample, mine);
      const overlaps = (path: string, list: typeof own) =>
        list.some(
          (one) =>
            path === one.path || path.startsWith(`${one.path}.`) || one.path.startsWith(`${path}.`),
        );
      for (const { path, to } of own) {
        if (!overlaps(path, others)) expect(valueAt(document, path), path).toEqual(to);
      }
      for (const { path, to } of others) {
        if (!overlaps(path, own)) expect(site.at(path), path).toEqual(to);
      }
      // What is not asked is at the server.
      for (const { path, to } of own) {
        if (!overlaps(path, others) && !asked(path)) expect(site.at(path), path).toEqual(to);
      }
      for (const draft of tabs) draft.stop();
      await settle();
    }),
    { numRuns: 60 },
  );
});

test('a field of an entry whose list has the same length is restored by revert', async () => {
  const site = fakeServer();
  const draft = await openTab(site);
  const live = valueAt(sample, 'faq.items.0.answer');
  draft.edit('faq.items.0.answer', 'Other');
  await settle();
  expect(draft.state().changes).toEqual([{ path: 'faq.items.0.answer', from: live, to: 'Other' }]);
  draft.edit('faq.items.0.answer', live, { isWhole: true });
  await settle();
  expect(draft.state().changes).toEqual([]);
  expect(site.at('faq.items')).toEqual(valueAt(sample, 'faq.items'));
});

const questions = 'faq.items';
const swapped = ([first, second, ...rest]: Group[]) => [second, first, ...rest];

/** Opens two tabs that have changed the answers of the first questions, of which the second one is asked. */
async function openConflicts(site: ReturnType<typeof fakeServer>, count: number) {
  const [one, other] = [await openTab(site), await openTab(site)];
  for (const i of Array(count).keys()) {
    one.edit(`${questions}.${i}.answer`, `Theirs ${i}`);
    other.edit(`${questions}.${i}.answer`, `Mine ${i}`);
  }
  void one.flush();
  await settle();
  const answers = (list = valueAt(other.state().document, questions)) =>
    (list as Group[]).map(({ answer }) => answer);
  return { one, other, answers };
}

test('an entry that is moved while one of its fields has a conflict replaces nothing unasked', async () => {
  const site = fakeServer();
  const { other, answers } = await openConflicts(site, 1);
  const list = valueAt(other.state().document, questions) as Group[];
  other.edit(questions, swapped(list), { isWhole: true });
  await settle();
  expect(answers(site.at(questions))).toContain('Theirs 0');
  const [asked, ...others] = other.state().conflicts;
  expect(others).toEqual([]);
  expect(asked).toMatchObject({ path: questions, base: valueAt(sample, questions) });
  if (asked) other.resolve(asked, 'mine');
  await settle();
  expect(site.at(questions)).toEqual(swapped(list));
});

test('a conflict follows its entry when another tab moves that', async () => {
  const site = fakeServer();
  const { one, other, answers } = await openConflicts(site, 2);
  one.edit(questions, swapped(site.at(questions) as Group[]), { isWhole: true });
  await settle();
  void other.reload();
  await settle();
  expect(answers(site.at(questions)).slice(0, 2)).toEqual(['Theirs 1', 'Theirs 0']);
  expect(other.state().conflicts).toMatchObject([
    { path: `${questions}.1.answer`, mine: 'Mine 0', theirs: 'Theirs 0' },
    { path: `${questions}.0.answer`, mine: 'Mine 1', theirs: 'Theirs 1' },
  ]);
  for (const asked of other.state().conflicts) other.resolve(asked, 'mine');
  await settle();
  expect(answers(site.at(questions)).slice(0, 2)).toEqual(['Mine 1', 'Mine 0']);
});

test.each<['mine' | 'theirs']>([['mine'], ['theirs']])(
  'a conflict of lists decided for %s keeps what the other tab saved after it',
  async (kept) => {
    const site = fakeServer();
    const [one, other] = [await openTab(site), await openTab(site)];
    one.edit(questions, swapped(site.at(questions) as Group[]), { isWhole: true });
    one.edit(`${questions}.0.answer`, 'Theirs');
    other.edit(`${questions}.1.answer`, 'Mine');
    void one.flush();
    await settle();
    expect(other.state().conflicts).toMatchObject([{ path: questions }]);
    one.edit(`${questions}.2.answer`, 'Later');
    await settle();
    void other.reload();
    await settle();
    const [asked, ...others] = other.state().conflicts;
    expect(others).toEqual([]);
    if (asked) other.resolve(asked, kept);
    await settle();
    expect(site.at(`${questions}.2.answer`)).toBe('Later');
  },
);

test('a conflict of lists that is decided for the other tab keeps what was being saved when it began', async () => {
  const site = fakeServer();
  const { other } = await openConflicts(site, 1);
  other.edit(`${questions}.1.answer`, 'Saved now');
  await settle(820);
  const list = valueAt(other.state().document, questions) as Group[];
  other.edit(questions, swapped(list), { isWhole: true });
  await settle();
  const [asked, ...others] = other.state().conflicts;
  expect(others).toEqual([]);
  expect(asked?.theirs).toEqual(site.at(questions));
  if (asked) other.resolve(asked, 'theirs');
  await settle();
  expect(site.at(`${questions}.0.answer`)).toBe('Theirs 0');
  expect(site.at(`${questions}.1.answer`)).toBe('Saved now');
});

test('whatever two tabs with conflicts edit and move, none replaces a text at the server that it has not shown', async () => {
  const act = fc.record({
    tab: fc.constantFrom(0, 1),
    kind: fc.constantFrom('edit', 'move', 'delete', 'undo', 'save', 'reload'),
    index: fc.nat(1),
    field: fc.constantFrom('question', 'answer'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      localStorage.clear();
      const site = fakeServer();
      const textsOf = (document: unknown) =>
        (valueAt(document, questions) as Group[]).flatMap(Object.values);
      const { save } = site.server;
      let calls: Promise<unknown> = Promise.resolve();
      const replaced: unknown[] = [];
      const serverFor = (shown: Set<unknown>): DraftServer => ({
        ...site.server,
        save(...args) {
          // One after the other, so that it is known whose save has replaced a text.
          const call = calls.then(async () => {
            const before = textsOf(site.loaded().document);
            const saved = await save(...args);
            const after = textsOf(site.loaded().document);
            replaced.push(...before.filter((one) => !after.includes(one) && !shown.has(one)));
            return saved;
          });
          calls = call.catch(() => {});
          return call;
        },
      });
      const openOne = async () => {
        const shown = new Set<unknown>();
        const draft = await openTab({ ...site, server: serverFor(shown) });
        const show = () => {
          for (const text of textsOf(draft.state().document)) shown.add(text);
        };
        show();
        draft.subscribe(show);
        return draft;
      };
      const tabs = [await openOne(), await openOne()];
      for (const [i, tab] of tabs.entries()) tab.edit(`${questions}.0.answer`, `Of tab ${i}`);
      await settle();
      for (const [i, { tab, kind, index, field }] of acts.entries()) {
        const draft = tabs[tab];
        const list = valueAt(draft?.state().document, questions) as Group[];
        if (kind === 'edit') draft?.edit(`${questions}.${index}.${field}`, `Text ${i}`);
        if (kind === 'move') draft?.edit(questions, swapped(list), { isWhole: true });
        if (kind === 'delete' && list.length > 2) draft?.edit(questions, removedAt(list, index));
        if (kind === 'undo') draft?.undo();
        if (kind === 'reload') void draft?.reload();
        if (kind === 'save') await settle();
        for (const { state } of tabs) {
          for (const { path, mine, theirs } of state().conflicts) {
            expect(mine).toEqual(valueAt(state().document, path));
            expect(theirs).toEqual(valueAt(state().saved, path));
          }
        }
      }
      await settle();
      expect(replaced).toEqual([]);
    }),
  );
});

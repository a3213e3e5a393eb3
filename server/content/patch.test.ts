/** Patches, differences and merges: what two browsers write is applied, or returned as a conflict. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Change,
  type Group,
  isWithin,
  merged as mergedIn,
} from '../contract/document-changes.ts';
import { en } from '../contract/words/en.ts';
import { documentWith, type Edit, edits } from '../testing/document-edits.ts';
import { marked, markedLanguage } from '../testing/marked-language.ts';
import { withoutWords } from './document.ts';
import {
  applyPatches,
  changesBetween,
  documentShape,
  isApplicable,
  merged,
  withChanges,
} from './patch.ts';

const sample = documentWith();

/** The document of a browser after its edits, and the patches that it sends. */
function edited(start: Record<string, unknown>, list: Edit[]) {
  const patches: Change[] = [];
  let document = start;
  for (const edit of list) {
    const patch = edit(document);
    if (!patch) continue;
    patches.push(patch);
    ({ document } = applyPatches(document, [patch]));
  }
  return { document, patches };
}

const overlap = (a: { path: string }, b: { path: string }) =>
  isWithin(a.path, [b.path]) || isWithin(b.path, [a.path]);
const at = (document: unknown, path: string) =>
  path
    .split('.')
    .reduce<unknown>((part, key) => (part as Change[] | undefined)?.[key as never], document);

it('edits of two browsers are applied, or returned where both edited the same', () => {
  const property = fc.property(edits, edits, (first, second) => {
    const [one, other] = [edited(sample, first), edited(sample, second)];
    for (const patch of one.patches) expect(isApplicable(patch)).toBe(true);
    const { document, conflicts } = applyPatches(one.document, other.patches);
    // An edit of a list that is a conflict takes the later edits of its entries along.
    for (const [i, conflict] of conflicts.entries()) {
      const reasons = [...one.patches, ...conflicts.slice(0, i)];
      expect(reasons.some((reason) => overlap(reason, conflict))).toBe(true);
    }
    const alone = (patches: Change[], others: Change[]) =>
      patches.filter((patch) => !others.some((one) => overlap(one, patch)));
    for (const { path } of alone(one.patches, other.patches)) {
      expect(at(document, path)).toEqual(at(one.document, path));
    }
    for (const { path } of alone(other.patches, [...one.patches, ...conflicts])) {
      expect(at(document, path)).toEqual(at(other.document, path));
    }
    // Of two changes of one text the first is kept whole, and the second is returned as a conflict.
    for (const { path, to } of other.patches) {
      const isFirsts = one.patches.some((patch) => patch.path === path);
      if (!isFirsts || typeof to !== 'string' || at(document, path) === to) continue;
      if (other.patches.findLast((patch) => overlap(patch, { path }))?.path !== path) continue;
      expect(conflicts.map((conflict) => conflict.path)).toContain(path);
    }
  });
  fc.assert(property, { numRuns: 300 });
});

it('patches that are sent again after a lost response change nothing and are no conflict', () => {
  const patches = [
    { path: 'hero.title', from: sample.hero && at(sample, 'hero.title'), to: 'New' },
    { path: 'about.text', from: at(sample, 'about.text'), to: ['One text.'] },
  ];
  const once = applyPatches(sample, patches);
  expect(at(once.document, 'hero.title')).toBe('New');
  expect(applyPatches(once.document, patches)).toEqual({ document: once.document, conflicts: [] });
});

it('a conflict has both values, and null for an entry that was removed', () => {
  const items = at(sample, 'faq.items') as object[];
  const removed = applyPatches(sample, [
    { path: 'faq.items', from: items, to: items.slice(0, -1) },
    { path: 'hero.title', from: at(sample, 'hero.title'), to: 'Theirs' },
  ]).document;
  const last = `faq.items.${items.length - 1}.question`;
  const { document, conflicts } = applyPatches(removed, [
    { path: last, from: at(sample, last), to: 'Why?' },
    { path: last, to: 'Why?' },
    { path: 'hero.title', from: at(sample, 'hero.title'), to: 'Mine' },
  ]);
  expect(document).toEqual(removed);
  expect(conflicts).toEqual([
    { path: last, yours: 'Why?', theirs: null },
    { path: last, yours: 'Why?', theirs: null },
    { path: 'hero.title', yours: 'Mine', theirs: 'Theirs' },
  ]);
});

it.each([
  ['unknown field', { path: 'hero.subtitle', to: 'x' }],
  ['unknown group', { path: 'video', to: {} }],
  ['whole document', { path: '', to: {} }],
  ['prototype', { path: '__proto__.polluted', to: 'x' }],
  ['prototype of a group', { path: 'hero.__proto__', to: {} }],
  ['constructor', { path: 'hero.constructor', to: 'x' }],
  ['length of a list', { path: 'faq.items.length', to: 0 }],
  ['index of a group', { path: 'hero.0', to: 'x' }],
  ['index with a sign', { path: 'faq.items.-1.question', to: 'x' }],
  ['entry of a record', { path: 'calls.special.2026-12-24', to: [] }],
  ['value of another type', { path: 'hero.title', to: 7 }],
  ['no value', { path: 'hero.title' }],
  ['entry without its fields', { path: 'faq.items', to: [{ id: 'a' }] }],
  ['text that cannot be stored', { path: 'hero.title', to: 'a\0' }],
  ['number that JSON cannot hold', { path: 'calls.strategyCall.minutes', to: Infinity }],
  ['key of a prototype', { path: 'optIn.place', to: JSON.parse('{"__proto__": "x"}') }],
])('patch of %s is not applicable', (_, patch) => {
  expect(isApplicable(patch)).toBe(false);
});

it.each([
  ['text', { path: 'hero.title', to: '' }],
  ['entry’s field', { path: 'faq.items.1.question', to: '</script>' }],
  ['list with a mistake', { path: 'calls.closed', to: ['soon'] }],
  ['number', { path: 'calls.strategyCall.minutes', to: 0.5 }],
  ['record', { path: 'calls.special', to: { soon: [] } }],
  ['missing optional field', { path: 'contactPages.required' }],
])('patch of %s is applicable', (_, patch) => {
  expect(isApplicable(patch)).toBe(true);
});

it('words follow the language, but not those that the owner has changed, and only the language is a change', () => {
  const own = documentWith({ labels: { ...(sample.labels as object), menu: 'Plan' } });
  const patches = [
    { path: 'language', from: 'en', to: markedLanguage },
    { path: 'labels.close', from: 'Close', to: 'Zu' },
  ];
  const { document, conflicts } = applyPatches(own, patches);
  expect(conflicts).toEqual([]);
  expect(document.labels).toMatchObject({
    menu: 'Plan',
    close: 'Zu',
    skip: marked(en.labels.skip),
  });
  const changes = changesBetween(own, document);
  expect(changes).toEqual([
    { path: 'language', from: 'en', to: markedLanguage },
    { path: 'labels.close', from: marked('Close'), to: 'Zu' },
  ]);
  expect(withChanges(own, changes)).toEqual(document);
  const back = applyPatches(document, [{ path: 'language', from: markedLanguage, to: 'en' }]);
  expect(back.document.labels).toEqual({ ...en.labels, menu: 'Plan', close: 'Zu' });
});

it('a word that is set back or removed is that of the language', () => {
  const own = documentWith({ labels: { ...(sample.labels as object), menu: 'Plan' } });
  for (const to of ['Menu', undefined]) {
    const patch = { path: 'labels.menu', from: 'Plan', to };
    expect(isApplicable(patch)).toBe(true);
    const { document } = applyPatches(own, [patch]);
    expect(document).toEqual(sample);
    expect(withoutWords(document)).not.toHaveProperty('labels');
  }
});

it('differences name single fields, and a whole list when its length or order differs', () => {
  const items = at(sample, 'faq.items') as Record<string, unknown>[];
  const [first, second, ...rest] = items;
  const paths = (changes: Record<string, unknown>) =>
    changesBetween(sample, documentWith(changes)).map(({ path }) => path);
  const faq = (list: unknown[]) => ({ faq: { ...(sample.faq as object), items: list } });
  expect(paths({})).toEqual([]);
  expect(paths(faq([first, { ...second, question: 'Why?', icon: 'star' }, ...rest]))).toEqual([
    'faq.items.1.question',
    'faq.items.1.icon',
  ]);
  expect(paths(faq([second, first, ...rest]))).toEqual(['faq.items']);
  expect(paths(faq(items.slice(1)))).toEqual(['faq.items']);
  expect(paths({ video: { title: 'x' }, tagline: 'x' })).toEqual(['tagline', 'video']);
  const calls = { ...(sample.calls as object), special: { '2026-12-24': [] } };
  expect(paths({ calls })).toEqual(['calls.special']);
  const hours = {
    ...(at(sample, 'calls.hours') as object),
    tuesday: ['9:00-12:30', '14:00-16:30'],
  };
  expect(paths({ calls: { ...(sample.calls as object), hours } })).toEqual(['calls.hours.tuesday']);
});

it('differences lead from one document to the other', () => {
  const property = fc.property(edits, edits, (first, second) => {
    const [one, other] = [edited(sample, first).document, edited(sample, second).document];
    const changes = changesBetween(one, other);
    expect(withChanges(one, changes)).toEqual(other);
    for (const change of changes) expect(isApplicable(change)).toBe(true);
  });
  fc.assert(property, { numRuns: 200 });
});

it('merge keeps what either side changed', () => {
  const property = fc.property(edits, edits, (first, second) => {
    const [mine, theirs] = [edited(sample, first), edited(sample, second)];
    const result = merged(sample, mine.document, theirs.document);
    expect(merged(sample, mine.document, sample)).toEqual(mine.document);
    expect(merged(sample, sample, theirs.document)).toEqual(theirs.document);
    const own = changesBetween(sample, mine.document);
    const others = changesBetween(sample, theirs.document);
    for (const { path, to } of others) {
      if (!own.some((change) => overlap(change, { path }))) expect(at(result, path)).toEqual(to);
    }
    for (const { path, to } of own) {
      if (!others.some((change) => overlap(change, { path }))) expect(at(result, path)).toEqual(to);
    }
  });
  fc.assert(property, { numRuns: 200 });
});

it('merge moves an edit along with its entry when the other side moved, added or removed entries', () => {
  const [first, second, ...rest] = at(sample, 'faq.items') as Group[];
  const faq = (items: unknown[]) => documentWith({ faq: { ...(sample.faq as Group), items } });
  const edited = { ...second, answer: 'Mine' };
  const mine = faq([first, edited, ...rest]);
  const added = { id: 'new', question: 'New?', answer: 'Yes.' };
  for (const [theirs, expected] of [
    [
      [second, first, ...rest],
      [edited, first, ...rest],
    ],
    [
      [second, ...rest, added],
      [edited, ...rest, added],
    ],
  ] as const) {
    const conflicts: unknown[] = [];
    const add = (conflict: unknown) => conflicts.push(conflict);
    expect(mergedIn(documentShape, { base: sample, mine, theirs: faq([...theirs]) }, add)).toEqual(
      faq([...expected]),
    );
    expect(
      mergedIn(documentShape, { base: sample, mine: faq([...theirs]), theirs: mine }, add),
    ).toEqual(faq([...expected]));
    expect(conflicts).toEqual([]);
  }
});

it('merge reports a conflict for each value that both sides changed', () => {
  const items = at(sample, 'faq.items') as Group[];
  const both = (title: string, list: unknown[]) => ({
    ...documentWith({ faq: { ...(sample.faq as Group), items: list } }),
    hero: { ...(sample.hero as Group), title },
  });
  const mine = both('Mine', items.slice(1));
  const theirs = both('Theirs', [{ ...items[0], answer: 'Theirs' }, ...items.slice(1)]);
  const conflicts: unknown[] = [];
  const result = mergedIn(documentShape, { base: sample, mine, theirs }, (one) =>
    conflicts.push(one),
  );
  expect(result).toEqual(mine);
  expect(conflicts).toEqual([
    { path: 'hero.title', mine: 'Mine', theirs: 'Theirs' },
    { path: 'faq.items', mine: items.slice(1), theirs: at(theirs, 'faq.items') },
  ]);
});

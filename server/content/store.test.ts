/** The draft, publishing and the history on both databases. */

import { describe, expect, it, vi } from 'vitest';
import { defaultsFor } from '../../site.defaults.ts';
import { engines, freshStores } from '../testing/engines.ts';
import { validPublish } from '../testing/publish.ts';
import { site as file, sampleWith } from '../testing/sample-config.ts';
import { mistakesIn as siteMistakes } from './document.ts';

const now = Date.UTC(2026, 10, 27);
const defaults = defaultsFor(file.brand.name);
const act = { file, now };
const valid = { ...act, ...validPublish };

const title = (to: string, from = file.hero.title) => ({ path: 'hero.title', from, to });
const tagline = (to: string) => ({ path: 'tagline', from: file.tagline, to });
const titleOf = (document: Record<string, unknown> | undefined) =>
  (document as typeof file | undefined)?.hero.title;

describe.each(engines)('on $name', (engine) => {
  const { stores, openBeside, runSql } = freshStores(engine);

  const save = (...patches: object[]) => stores.content.save({ ...act, patches: patches as [] });
  const publish = async (options: { paths?: string[]; note?: string } = {}) => {
    const { revision } = await stores.content.state(file);
    const result = await stores.content.publish({ ...valid, revision, ...options });
    if (typeof result === 'string' || 'mistakes' in result) throw new Error(`${result}`);
    return result;
  };
  const state = async () => {
    const { live, draft, revision } = await stores.content.state(file);
    return {
      live: titleOf(live.document),
      draft: titleOf(draft),
      version: live.version?.id,
      revision,
    };
  };
  const history = async () =>
    (await stores.content.versions({ limit: 50 })).map(({ id, state, paths, note }) => [
      ...[id, state, ...paths],
      ...(note === null ? [] : [`(${note})`]),
    ]);

  /** Every act of the browser is refused. */
  const refused = async () => {
    const { content } = stores;
    for (const tried of [
      () => content.state(file),
      () => save(title('C')),
      () => content.publish({ ...valid, revision: 1 }),
      () => content.discard(act),
      () => content.restore({ ...act, version: 1 }),
      () => content.republish({ ...valid, version: 1 }),
    ]) {
      await expect(tried()).rejects.toMatchObject({ response: { code: 'CONTENT_UNREADABLE' } });
    }
  };

  it('versions that a site has shown are listed without discarded drafts, newest first, also beside a damaged one', async () => {
    const shown = async (after: number, limit = 9) =>
      (await stores.content.shownAfter(after, { file, limit })).map(({ id, config }) => [
        ...[id, config?.hero.title],
      ]);
    await save(title('A'));
    await publish();
    await save(title('B', 'A'));
    await stores.content.discard(act);
    await save(title('C', 'A'));
    await publish();
    expect(await shown(0)).toEqual([
      [4, 'C'],
      [2, 'A'],
      [1, file.hero.title],
    ]);
    await runSql("UPDATE site_version SET document = '{' WHERE id = 2");
    expect(await shown(1)).toEqual([
      [4, 'C'],
      [2, undefined],
    ]);
    expect(await shown(0, 1)).toEqual([[4, 'C']]);
    expect(await shown(4)).toEqual([]);
  });

  it('site.config.ts is live, and the draft equals it, until something is saved', async () => {
    expect(await state()).toEqual({
      ...{ live: file.hero.title, draft: file.hero.title },
      ...{ version: undefined, revision: 0 },
    });
    expect(await stores.content.live(file)).toEqual({ counter: 0, config: file });
    expect(await history()).toEqual([]);
  });

  it('a saved draft is published whole, and the file stays in the history', async () => {
    expect(await save(title('A'))).toMatchObject({ revision: 1, conflicts: [] });
    expect(await state()).toMatchObject({ live: file.hero.title, draft: 'A' });
    expect(await publish({ note: 'First' })).toEqual({ version: 2, publishedAt: now, revision: 2 });
    expect(await state()).toEqual({ live: 'A', draft: 'A', version: 2, revision: 2 });
    expect(await stores.content.counter()).toBe(1);
    expect(await history()).toEqual([
      [2, 'published', 'hero.title', '(First)'],
      [1, 'file'],
    ]);
    const { config } = await stores.content.live(sampleWith({ brand: { name: 'Changed file' } }));
    expect(config?.brand.name).toBe(file.brand.name);
  });

  it('a patch that is a conflict or saved already changes neither draft nor revision', async () => {
    await save(title('A'));
    expect(await save(title('B'))).toMatchObject({
      revision: 1,
      conflicts: [{ path: 'hero.title', yours: 'B', theirs: 'A' }],
    });
    expect(await save(title('A'))).toMatchObject({ revision: 1, conflicts: [] });
  });

  it('only the given paths are published, and the rest stays a draft', async () => {
    await save(title('A'), tagline('B'));
    await publish({ paths: ['hero'] });
    const { live, draft } = await stores.content.state(file);
    expect([titleOf(live.document), live.document.tagline]).toEqual(['A', file.tagline]);
    expect(draft.tagline).toBe('B');
    await publish();
    expect((await stores.content.state(file)).live.document.tagline).toBe('B');
    expect(await history()).toEqual([
      [3, 'published', 'tagline'],
      [2, 'published', 'hero.title'],
      [1, 'file'],
    ]);
  });

  it('publishing what is live already makes no version', async () => {
    await save(title('A'));
    const { version } = await publish();
    expect(await publish()).toMatchObject({ version });
    expect(await stores.content.counter()).toBe(1);
  });

  it('a path beneath a list that changed as a whole publishes the list', async () => {
    const [first, ...others] = file.faq.items;
    const from = file.faq.items;
    await save({ path: 'faq.items', from, to: [...others, first] }, tagline('B'));
    await publish({ paths: ['faq.items.0.question'] });
    const { live } = await stores.content.state(file);
    expect(live.document).toMatchObject({ faq: { items: [...others, first] } });
    expect(live.document.tagline).toBe(file.tagline);
  });

  it('publishing a path that the site does not have is refused', async () => {
    const { revision } = await save(title('A'));
    const paths = ['hero.title', 'hero.titel'];
    expect(await stores.content.publish({ ...valid, revision, paths })).toEqual({
      mistakes: [{ path: 'paths.1', message: 'The site has no such field.' }],
    });
    expect(await history()).toEqual([[1, 'file']]);
  });

  it('publishing paths without changes returns the live version, and the draft stays', async () => {
    await save(title('A'));
    const { version } = await publish();
    await save(title('B', 'A'));
    expect(await publish({ paths: ['faq'] })).toMatchObject({ version });
    expect(await state()).toMatchObject({ live: 'A', draft: 'B' });
    expect(await stores.content.counter()).toBe(1);
  });

  it('a mistake that the given paths make elsewhere keeps them from being published', async () => {
    const [first, second] = file.faq.items;
    const path = 'faq.items.0.id';
    const { revision } = await save({ path, from: first?.id, to: second?.id });
    const mistakesIn = (document: object) => siteMistakes(document, () => true);
    const attempt = { ...valid, revision, mistakesIn };
    expect(await stores.content.publish({ ...attempt, paths: [path] })).toEqual({
      mistakes: [{ path: 'faq.items.1.id', message: expect.stringMatching(/^Another entry/) }],
    });
  });

  it('mistakes keep a draft from being published, but not one outside the given paths', async () => {
    await save(title('A'), tagline('B'));
    const mistakesIn = () => [{ path: 'tagline', message: 'Please fill this in.' }];
    const attempt = { ...valid, revision: 1, mistakesIn };
    expect(await stores.content.publish(attempt)).toEqual({ mistakes: mistakesIn() });
    expect(await stores.content.publish({ ...attempt, paths: ['tagline'] })).toEqual({
      mistakes: mistakesIn(),
    });
    expect(await stores.content.publish({ ...attempt, paths: ['hero'] })).toMatchObject({
      version: 2,
    });
  });

  it('what cannot be prepared is not published, and what is prepared is what goes live', async () => {
    const { revision } = await save(title('A'), tagline('B'));
    const prepare = vi.fn().mockRejectedValueOnce(new Error('cannot be rendered'));
    const attempt = { ...valid, revision, prepare, paths: ['hero'] };
    await expect(stores.content.publish(attempt)).rejects.toThrow('cannot be rendered');
    expect(await history()).toEqual([[1, 'file']]);
    expect(await stores.content.counter()).toBe(0);
    await stores.content.publish(attempt);
    const { live } = await stores.content.state(file);
    expect(prepare).toHaveBeenLastCalledWith(live.document);
    expect(live.document).toMatchObject({ hero: { title: 'A' }, tagline: file.tagline });
  });

  it('a draft that changes while it is prepared is not published', async () => {
    const { revision } = await save(title('A'));
    const prepare = async () => void (await save(tagline('B')));
    expect(await stores.content.publish({ ...valid, revision, prepare })).toBe('changed');
    expect(await stores.content.counter()).toBe(0);
  });

  it('of several publishes at once one succeeds, and the others return that the draft has changed', async () => {
    const { revision } = await save(title('A'));
    const others = await Promise.all([openBeside(), openBeside()]);
    const results = await Promise.all(
      [stores, ...others].map(({ content }) => content.publish({ ...valid, revision })),
    );
    await Promise.all(others.map((other) => other.close()));
    expect(results.map((result) => (result === 'changed' ? result : 'published')).sort()).toEqual([
      ...['changed', 'changed', 'published'],
    ]);
    expect(await history()).toHaveLength(2);
  });

  it('saves at once lose nothing', async () => {
    const other = await openBeside();
    const labels = Object.entries(file.bookingPages).filter(([, text]) => text.length < 20);
    await Promise.all(
      labels.map(([name, from], i) =>
        (i % 2 ? stores : other).content.save({
          ...act,
          patches: [{ path: `bookingPages.${name}`, from, to: `New ${name}` }],
        }),
      ),
    );
    await other.close();
    const { draft, revision } = await stores.content.state(file);
    expect(draft.bookingPages).toMatchObject(
      Object.fromEntries(labels.map(([name]) => [name, `New ${name}`])),
    );
    expect(revision).toBe(labels.length);
  });

  it('a discarded draft stays in the history and can be restored', async () => {
    await save(title('A'));
    expect(await stores.content.discard(act)).toBe(2);
    expect(await state()).toMatchObject({ draft: file.hero.title });
    expect(await stores.content.discard(act)).toBe(2);
    expect(await history()).toEqual([
      [2, 'discarded', 'hero.title'],
      [1, 'file'],
    ]);
    expect(await stores.content.restore({ ...act, version: 2 })).toBe(3);
    expect(await state()).toMatchObject({ draft: 'A' });
    expect(await stores.content.restore({ ...act, version: 9 })).toBeUndefined();
  });

  it('restoring a version keeps the draft before it', async () => {
    await save(title('A'));
    await publish();
    await save(title('B', 'A'));
    await stores.content.restore({ ...act, version: 1 });
    expect(await state()).toMatchObject({ live: 'A', draft: file.hero.title });
    expect((await history())[0]).toEqual([3, 'discarded', 'hero.title']);
  });

  it('undo makes a version live again, and unpublished changes stay in the draft', async () => {
    await save(title('A'));
    await publish();
    await save(title('B', 'A'));
    await publish();
    await save(tagline('C'));
    expect(await stores.content.republish({ ...valid, version: 2 })).toMatchObject({ version: 4 });
    expect(await state()).toMatchObject({ live: 'A', draft: 'A', version: 4 });
    const { live, draft } = await stores.content.state(file);
    expect([live.document.tagline, draft.tagline]).toEqual([file.tagline, 'C']);
    expect(await stores.content.republish({ ...valid, version: 9 })).toBe('unknown');
  });

  it.each([
    { path: 'links.checkout', to: 'https://buy.example.com/mine' },
    { path: 'paymentLinks', to: ['plink_mine'] },
    { path: 'schedulers.strategyCall', to: 'https://cal.com/mine' },
    { path: 'optInScript', to: 'https://mine.example/script.js' },
    { path: 'optIn', to: { ...defaults.optIn, hosts: ['https://mine.example'] } },
    { path: 'brand.email', to: 'me@mine.example' },
  ])('a change of $path goes live and back only with the password', async ({ path, to }) => {
    // The whole field is sensitive, also where one part of it changes.
    const root = path.replace('.strategyCall', '');
    const { live } = await stores.content.state(file);
    const from = path
      .split('.')
      .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], live.document);
    await save({ path, from, to }, title('A'));
    const refused = { ...valid, revision: 1 };
    expect(await stores.content.publish(refused)).toBe('unconfirmed');
    expect(await stores.content.publish({ ...refused, paths: [path] })).toBe('unconfirmed');
    expect(await stores.content.counter()).toBe(0);
    expect(await history()).toEqual([[1, 'file']]);
    expect(await stores.content.publish({ ...refused, paths: ['hero'] })).toMatchObject({
      ...{ version: 2, revision: 2 },
    });
    const confirmed = { ...valid, isConfirmed: true };
    expect(await stores.content.publish({ ...confirmed, revision: 2 })).toMatchObject({
      ...{ version: 3 },
    });
    expect(await stores.content.republish({ ...valid, version: 2 })).toBe('unconfirmed');
    expect(await stores.content.republish({ ...valid, version: 3 })).toMatchObject({ version: 3 });
    expect(await stores.content.republish({ ...confirmed, version: 2 })).toMatchObject({
      ...{ version: 4 },
    });
    expect((await stores.auth.entries(9)).map(({ detail }) => detail).sort()).toEqual([
      ...['1 change', `1 change, ${root}`, `1 change, ${root}`],
    ]);
  });

  it('a draft of the file follows changes of the file elsewhere', async () => {
    await save(title('A'));
    const newer = { ...file, tagline: 'A new release' };
    const { draft } = await stores.content.state(newer);
    expect([titleOf(draft), draft.tagline]).toEqual(['A', 'A new release']);
  });

  it('fields of another release survive a save and a publish', async () => {
    await stores.content.replaceDraft({
      ...act,
      document: { ...structuredClone(file), video: { title: 'Watch' } },
    });
    await save(title('A'));
    await publish();
    const { live } = await stores.content.state(file);
    expect(live.document).toMatchObject({ video: { title: 'Watch' }, hero: { title: 'A' } });
  });

  it('the file is live again after useFile, and the history stays', async () => {
    await save(title('A'));
    await publish();
    await stores.content.useFile({ now });
    expect(await state()).toMatchObject({ live: file.hero.title, version: undefined });
    expect(await stores.content.counter()).toBe(2);
    expect(await history()).toHaveLength(2);
  });

  describe('a site.config.ts that changes beside a published site', () => {
    const changed = sampleWith({ hero: { title: 'F' }, tagline: 'G' });
    const record = (newer = changed) => stores.content.recordFile({ file: newer, now });
    const fileChanges = async (newer = changed) => (await stores.content.state(newer)).fileChanges;
    const publishTitle = async () => {
      await save(title('A'));
      await publish();
    };

    it('is one version of the history, also when several instances start with it at once', async () => {
      await publishTitle();
      await record(file);
      expect(await history()).toHaveLength(2);
      const others = await Promise.all([openBeside(), openBeside()]);
      await Promise.all(
        [stores, ...others].map(({ content }) => content.recordFile({ file: changed, now })),
      );
      await Promise.all(others.map((other) => other.close()));
      expect(await history()).toEqual([
        [3, 'file', 'hero.title', 'tagline'],
        [2, 'published', 'hero.title'],
        [1, 'file'],
      ]);
    });

    it('is compared with the draft where the file has changed, and changes nothing itself', async () => {
      await publishTitle();
      expect(await fileChanges(file)).toBeNull();
      await record();
      await save({ path: 'faq.title', from: file.faq.title, to: 'Asked' });
      expect(await fileChanges()).toEqual({
        version: 3,
        changes: [
          { path: 'hero.title', from: 'A', to: 'F' },
          { path: 'tagline', from: file.tagline, to: 'G' },
        ],
      });
      expect(await state()).toMatchObject({ live: 'A', draft: 'A', version: 2 });
    });

    it('is not mentioned once its changes are in the draft, or another version is published', async () => {
      await publishTitle();
      await record();
      await stores.content.save({ ...act, patches: (await fileChanges())?.changes ?? [] });
      expect(await state()).toMatchObject({ draft: 'F' });
      expect(await fileChanges()).toBeNull();
      await stores.content.discard(act);
      expect((await fileChanges())?.changes).toHaveLength(2);
      await save({ path: 'faq.title', from: file.faq.title, to: 'Asked' });
      await publish();
      expect(await fileChanges()).toBeNull();
      const newest = sampleWith({ hero: { title: 'H' }, tagline: 'G' });
      await record(newest);
      expect((await fileChanges(newest))?.changes).toEqual([
        { path: 'hero.title', from: 'A', to: 'H' },
      ]);
      await record(changed);
      expect(await fileChanges()).toBeNull();
    });

    it('keeps entries of a list that the owner has edited', async () => {
      await publishTitle();
      const [first, second, ...rest] = file.faq.items;
      const answer = { path: 'faq.items.0.answer', from: first?.answer, to: 'Mine' };
      await save(answer);
      const newer = sampleWith({ faq: { items: [second, first, ...rest] as never } });
      await record(newer);
      const changes = [
        {
          path: 'faq.items',
          from: [{ ...first, answer: 'Mine' }, second, ...rest],
          to: [second, { ...first, answer: 'Mine' }, ...rest],
        },
      ];
      expect(await fileChanges(newer)).toEqual({ version: 3, changes });
    });

    it('is not compared in fields of another release', async () => {
      await publishTitle();
      const newer = { ...changed, video: { title: 'Watch' } };
      await record(newer);
      expect((await history())[0]).toEqual([3, 'file', 'hero.title', 'tagline', 'video']);
      expect((await fileChanges(newer))?.changes.map(({ path }) => path)).toEqual([
        ...['hero.title', 'tagline'],
      ]);
    });

    it('is not recorded while the file is live itself', async () => {
      await record();
      expect(await history()).toEqual([]);
      await publishTitle();
      await stores.content.useFile({ now });
      await record();
      expect(await history()).toHaveLength(2);
      expect(await fileChanges()).toBeNull();
    });

    it('is recorded beside a site and a file version that cannot be read', async () => {
      await publishTitle();
      await runSql("UPDATE site_version SET document = '{'");
      await record();
      await record();
      expect(await history()).toHaveLength(3);
    });
  });

  it.each([
    ['is no JSON', "document = '{'"],
    ['lacks its fields', `document = '{"hero": 7}'`],
    ['has the format of a later release', 'format = 2'],
  ])('a live document that %s stays as it is, and no act replaces it', async (_, change) => {
    const { revision } = await save(title('A'));
    await publish();
    await save(title('B', 'A'));
    const before = await history();
    await runSql(`UPDATE site_version SET ${change} WHERE id = 2`);
    expect(await stores.content.live(file)).toEqual({ counter: 1, config: undefined });
    await refused();
    const error = { response: { code: 'CONTENT_UNREADABLE' } };
    const { content } = stores;
    await expect(content.replaceDraft({ ...act, document: {} })).rejects.toMatchObject(error);
    await expect(content.liveDocument(file)).rejects.toThrow('content use-file');
    expect(await history()).toEqual(before);
    expect(await content.counter()).toBe(1);
    await content.useFile({ now });
    expect(await state()).toMatchObject({ draft: 'B', revision: revision + 2 });
  });

  it('a draft that cannot be read stays as it is until an import, which keeps it in the history', async () => {
    await save(title('A'));
    await runSql(`UPDATE site_draft SET document = '{"hero": 7}'`);
    await refused();
    expect(await history()).toEqual([[1, 'file']]);
    expect(await stores.content.liveDocument(file)).toEqual(file);
    const document = { ...structuredClone(file), tagline: 'Imported' };
    expect(await stores.content.replaceDraft({ ...act, document })).toBe(2);
    expect((await stores.content.state(file)).draft.tagline).toBe('Imported');
    expect(await history()).toEqual([
      [2, 'discarded'],
      [1, 'file'],
    ]);
    const unreadable = { response: { code: 'VERSION_UNREADABLE' } };
    await expect(stores.content.restore({ ...act, version: 2 })).rejects.toMatchObject(unreadable);
    await expect(stores.content.republish({ ...valid, version: 2 })).rejects.toMatchObject(
      unreadable,
    );
    expect(await history()).toHaveLength(2);
  });

  it('versions come newest first, page by page', async () => {
    for (const n of [1, 2, 3]) {
      await save(title(`${n}`, n === 1 ? file.hero.title : `${n - 1}`));
      await publish();
    }
    const ids = async (before?: number) =>
      (await stores.content.versions({ before, limit: 2 })).map(({ id }) => id);
    expect([await ids(), await ids(3), await ids(1)]).toEqual([[4, 3], [2, 1], []]);
  });
});

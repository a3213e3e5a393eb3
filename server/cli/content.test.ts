/** The commands for the site's document, on both databases. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createOwner, engines, now, type TestOwner } from '../testing/cli-io.ts';
import { pictureOf } from '../testing/picture.ts';
import { site as file, sampleWith } from '../testing/sample-config.ts';

describe.each(engines)('on $name', (engine) => {
  let owner: TestOwner;
  beforeEach(async () => {
    owner = await createOwner(engine);
  });
  afterEach(() => owner.remove());

  const write = (text: string) => writeFile(join(owner.folder, 'a.ts'), text);
  const withName = (name: string) =>
    write(`export const site = ${JSON.stringify(sampleWith({ brand: { name } }))};`);
  const names = () =>
    owner.inside(async ({ content }, config) => {
      const { draft } = await content.state(file);
      return [config.brand.name, (draft.brand as typeof file.brand).name];
    });

  it('import fills the draft, and --publish publishes it', async () => {
    await withName('Nora Quist');
    expect(await owner.admin(['content', 'import', 'a.ts'])).toMatchObject({ code: 0 });
    expect(await names()).toEqual([file.brand.name, 'Nora Quist']);
    expect(await owner.admin(['content', 'import', 'a.ts', '--publish'])).toMatchObject({
      ...{ code: 0, err: expect.stringContaining('published') },
    });
    expect(await names()).toEqual(['Nora Quist', 'Nora Quist']);
    expect(await owner.admin(['content', 'use-file'])).toMatchObject({ code: 0 });
    expect(await names()).toEqual([file.brand.name, file.brand.name]);
  });

  it('export writes what the site says, which can be imported again', async () => {
    const newer = { ...sampleWith({ brand: { name: 'Nora Quist' } }), video: 'of a later release' };
    await write(`export const site = ${JSON.stringify(newer)};`);
    await owner.admin(['content', 'import', 'a.ts', '--publish']);
    expect(await owner.admin(['content', 'export', 'b.ts'])).toMatchObject({ code: 0, out: '' });
    const text = await readFile(join(owner.folder, 'b.ts'), 'utf8');
    expect(text).toContain("name: 'Nora Quist',");
    expect(text).not.toContain('video');
    const again = await owner.admin(['content', 'export', 'b.ts']);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('was not written') });
    await owner.admin(['content', 'use-file']);
    await owner.admin(['content', 'import', 'b.ts', '--publish']);
    await owner.admin(['content', 'export', 'c.ts']);
    expect(await readFile(join(owner.folder, 'c.ts'), 'utf8')).toBe(text);
  });

  it('photos are exported beside the file, and imported from there', async () => {
    const large = await pictureOf('jpeg', 960, 1200);
    const size = await pictureOf('webp', 480, 600);
    const address = await owner.inside(async ({ photos }) => {
      const added = await photos.add({ bytes: large, now });
      if (typeof added === 'string') throw new Error(added);
      await photos.add({ bytes: size, of: added.address, now });
      return added.address;
    });
    const photosOf = (other: TestOwner) => other.inside(({ photos }) => photos.photosIn([address]));
    await write(
      `export const site = ${JSON.stringify(sampleWith({ about: { photo: address } }))};`,
    );
    expect(await owner.admin(['content', 'import', 'a.ts', '--publish'])).toMatchObject({
      code: 0,
    });
    expect(await owner.admin(['content', 'export', 'b.ts'])).toMatchObject({
      ...{ code: 0, err: expect.stringContaining('public/photos') },
    });
    const text = await readFile(join(owner.folder, 'b.ts'), 'utf8');
    expect(text).toContain(` * ${address}\n`);
    expect(await readFile(join(owner.folder, 'public', address))).toEqual(large);

    const other = await createOwner(engine);
    onTestFinished(other.remove);
    await cp(owner.folder, other.folder, { recursive: true, filter: (path) => !/\.db/.test(path) });
    expect(await other.admin(['content', 'import', 'b.ts', '--publish'])).toMatchObject({
      code: 0,
    });
    expect(await photosOf(other)).toEqual(await photosOf(owner));
    expect(await other.admin(['content', 'export', 'c.ts'])).toMatchObject({ code: 0 });
    expect(await readFile(join(other.folder, 'c.ts'), 'utf8')).toBe(text);

    await writeFile(join(other.folder, 'public', address), size);
    expect(await other.admin(['content', 'import', 'b.ts'])).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('is another picture than its name says') },
    });
  });

  it('import of a file with mistakes stores the draft, and does not publish it', async () => {
    await withName(' ');
    expect(await owner.admin(['content', 'import', 'a.ts', '--publish'])).toMatchObject({
      ...{ code: 1, err: expect.stringMatching(/^brand\.name: Please fill this in\.$/m) },
    });
    expect(await names()).toEqual([file.brand.name, ' ']);
  });

  it('import refuses a file that is no config, and one while the file is pinned', async () => {
    await write('export const site = { hero: 7 };');
    expect(await owner.admin(['content', 'import', 'a.ts'])).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('Nothing was imported.') },
    });
    expect(await owner.admin(['content', 'import', 'missing.ts'])).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('ENOENT') },
    });
    await withName('Nora Quist');
    const env = { SITE_CONTENT: 'file' };
    expect(await owner.admin(['content', 'import', 'a.ts'], { env })).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('SITE_CONTENT=file') },
    });
    expect(await names()).toEqual([file.brand.name, file.brand.name]);
  });
});

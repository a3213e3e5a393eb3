/** Uploaded photos on both databases. */
import { beforeEach, describe, expect, it } from 'vitest';
import { engines, freshStores } from '../testing/engines.ts';
import { pictureOf } from '../testing/picture.ts';
import { validPublish } from '../testing/publish.ts';
import { site as file, sampleWith } from '../testing/sample-config.ts';
import { filesOf, mistakesIn } from './document.ts';
import { isFitFor, madePhotos } from './photos.ts';

const day = 24 * 60 * 60_000;
const now = Date.UTC(2026, 10, 27);
const at = expect.stringMatching(/^\/photos\/[0-9a-f]{32}\.(jpg|png|webp)$/);

describe.each(engines)('on $name', (engine) => {
  const { stores } = freshStores(engine);
  let large: Buffer;
  let small: Buffer;
  beforeEach(async () => {
    [large, small] = await Promise.all([pictureOf('jpeg', 960, 1200), pictureOf('webp', 480, 600)]);
  });

  const add = async (bytes: Buffer, of?: string) => {
    const added = await stores.photos.add({ bytes, of, now });
    if (typeof added === 'string') throw new Error(added);
    return added.address;
  };
  const portrait = (photo: string) => sampleWith({ about: { photo } });
  const save = (to: string, from = file.about.photo) =>
    stores.content.save({ file, now, patches: [{ path: 'about.photo', from, to }] });
  const publish = async () =>
    stores.content.publish({
      ...{ file, now, ...validPublish },
      revision: (await stores.content.state(file)).revision,
      mistakesIn: (document, photos) =>
        mistakesIn(
          document,
          filesOf(file, () => false, photos),
        ),
    });

  it('a photo is stored once, with its sizes, and read back', async () => {
    const address = await add(large);
    expect(address).toEqual(at);
    expect(await add(large)).toBe(address);
    const size = await add(small, address);
    expect(await add(small, address)).toBe(size);
    expect(await stores.photos.photosIn(portrait(address))).toEqual([
      {
        ...{ address, type: 'jpg', width: 960, height: 1200 },
        files: [
          { address: size, type: 'webp', width: 480, height: 600 },
          { address, type: 'jpg', width: 960, height: 1200 },
        ],
      },
    ]);
    expect(await stores.photos.read(address)).toEqual(large);
    expect(await stores.photos.read(size)).toEqual(small);
    for (const other of [address.replace('jpg', 'png'), `${address}x`, '/photos/', size.slice(1)]) {
      expect(await stores.photos.read(other)).toBeUndefined();
    }
    // A size is no photo of its own.
    expect(await stores.photos.photosIn(portrait(size))).toEqual([]);
  });

  it('a photo is refused when it is unreadable, or no size of the other one', async () => {
    const address = await add(large);
    const refused = (bytes: Buffer, of: string) => stores.photos.add({ bytes, of, now });
    expect(await refused(Buffer.from('<svg/>'), address)).toBe('unreadable');
    expect(await refused(await pictureOf('webp', 480, 480), address)).toBe('unfit');
    expect(await refused(await pictureOf('webp', 1000, 1250), address)).toBe('unfit');
    expect(await refused(small, '/photos/00000000000000000000000000000000.jpg')).toBe('unfit');
    expect(await refused(small, '/sample-rowan.svg')).toBe('unfit');
  });

  it('a document is published with a stored photo that fits its place, and with no other', async () => {
    const address = await add(large);
    await save(address);
    expect(await publish()).toMatchObject({ version: 2 });
    const missing = address.replace(/\w{4}\./, '0000.');
    await save(missing, address);
    expect(await publish()).toEqual({
      mistakes: [
        {
          path: 'about.photo',
          message: 'This picture is not on the server. Please choose another one, or none.',
        },
      ],
    });
    const narrow = await add(await pictureOf('png', 300, 375));
    await save(narrow, missing);
    expect(await publish()).toEqual({
      mistakes: [{ path: 'about.photo', message: 'This photo is 300 pixels wide. It needs 480.' }],
    });
    const [square] = await stores.photos.photosIn({
      a: await add(await pictureOf('png', 480, 480)),
    });
    if (!square) throw new Error('It is not stored.');
    expect([isFitFor(square, 'face'), isFitFor(square, 'portrait')]).toEqual([
      true,
      'This photo has another shape. Please choose it again, and crop it.',
    ]);
  });

  it('photos are deleted after 30 days unless the draft, a version or the file names them', async () => {
    const kinds = ['live', 'discarded', 'draft', 'file', 'unused'];
    const addresses: string[] = [];
    for (const [i] of kinds.entries()) {
      const address = await add(await pictureOf('jpeg', 960, 1200, { red: i * 40 }));
      await add(await pictureOf('webp', 480, 600, { red: i * 40 }), address);
      addresses.push(address);
    }
    const [live = '', discarded = '', draft = '', own = '', unused = ''] = addresses;
    await save(live);
    await publish();
    await save(discarded, live);
    await stores.content.discard({ file, now });
    await save(draft, live);
    const deleteUnused = (before: number) =>
      stores.photos.deleteUnused({ before, file: portrait(own) });
    expect(await deleteUnused(now)).toBe(0);
    expect(await deleteUnused(now + 1)).toBe(2);
    expect(await stores.photos.read(unused)).toBeUndefined();
    for (const kept of [live, discarded, draft, own]) {
      expect((await stores.photos.photosIn(portrait(kept)))[0]?.files).toHaveLength(2);
    }
    // Uploaded again, it stays for another 30 days.
    await stores.photos.add({ bytes: large, now });
    await stores.photos.add({ bytes: large, now: now + day });
    expect(await deleteUnused(now + day)).toBe(0);
  });
});

it('a page has the sources of a photo by type, in ascending width', () => {
  const photo = (name: string, type: 'jpg' | 'webp', width: number) => ({
    ...{ address: `/photos/${name}.${type}`, type, width, height: (width * 5) / 4 },
  });
  const [jpg, webp, smallJpg, smallWebp] = [
    photo('a', 'jpg', 960),
    photo('b', 'webp', 960),
    photo('c', 'jpg', 480),
    photo('d', 'webp', 480),
  ] as const;
  expect(madePhotos([{ ...jpg, files: [smallJpg, smallWebp, jpg, webp] }])).toEqual({
    '/photos/a.jpg': {
      src: '/photos/a.jpg',
      sources: [
        { type: 'image/webp', srcSet: '/photos/d.webp 480w, /photos/b.webp 960w' },
        { type: 'image/jpeg', srcSet: '/photos/c.jpg 480w, /photos/a.jpg 960w' },
      ],
    },
  });
  expect(madePhotos([{ ...jpg, files: [smallWebp, jpg] }])['/photos/a.jpg']?.sources).toEqual([
    { type: 'image/webp', srcSet: '/photos/d.webp 480w' },
  ]);
});

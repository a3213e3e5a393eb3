/** A site that shows what its owner has published in the browser, and P14: how long such a site takes to start. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { photoShapes, photosPath } from '../server/contract/photos.ts';
import { pictureOf } from '../server/testing/picture.ts';
import { sharedSecret, startPostgres } from './cluster.ts';
import { median, type Row } from './measure.ts';
import { getJson, postJson, signIn } from './owner.ts';
import { type BenchServer, startShingle } from './processes.ts';

const rounds = 7;

type Options = Parameters<typeof startShingle>[0];

interface Draft {
  document: {
    tagline: string;
    about: { photo: string };
    colours: { lines: { management: { light: string } } };
  };
}

/** Publishes ten times, each time another text, colour and photo. */
export async function publishTenTimes(server: BenchServer): Promise<void> {
  const cookie = await signIn(server);
  for (let n = 1; n <= 10; n++) {
    const { document } = await getJson<Draft>(server, '/api/site/draft', cookie);
    const { tagline, about, colours } = document;
    const patches = [
      { path: 'tagline', from: tagline, to: `Published for the ${n}th time.` },
      { path: 'about.photo', from: about.photo, to: await uploadPhoto(server, cookie, 20 * n) },
      {
        path: 'colours.lines.management.light',
        from: colours.lines.management.light,
        to: n % 2 === 0 ? '#7A1FA2' : '#6A1B9A',
      },
    ];
    const draft = { patches };
    const { revision } = await postJson<Revision>(server, '/api/site/draft', cookie, draft);
    await postJson(server, '/api/site/publish', cookie, { revision });
  }
}

type Revision = { revision: number };

/** Uploads a portrait of one colour in all its sizes, as the editor does; resolves with its address. */
async function uploadPhoto(server: BenchServer, cookie: string, red: number): Promise<string> {
  const { width, height, widths } = photoShapes.portrait;
  let largest = '';
  for (const wide of widths.toReversed()) {
    for (const format of ['jpeg', 'webp'] as const) {
      const bytes = await pictureOf(format, wide, (wide * height) / width, { red });
      const query = largest && `?of=${encodeURIComponent(largest)}`;
      const response = await fetch(`http://127.0.0.1:${server.port}${photosPath}${query}`, {
        ...{ method: 'POST', headers: { Cookie: cookie }, body: new Uint8Array(bytes) },
      });
      if (!response.ok) throw new Error(`A photo returned status ${response.status}.`);
      const { address } = (await response.json()) as { address: string };
      largest ||= address;
    }
  }
  return largest;
}

/** What a start took, in ms. */
interface Start {
  ms: number;
  cpu: number;
}

/** Starts the site until `/healthz` responds, and stops it. */
export async function timedStart(options: Options): Promise<Start> {
  const startedAt = performance.now();
  const server = await startShingle(options);
  try {
    await getJson(server, '/healthz', '');
    return { ms: performance.now() - startedAt, cpu: server.cpu() / 1000 };
  } finally {
    await server.stop();
  }
}

export const startRows = async (): Promise<Row[]> => [
  await startRow('SQLite'),
  await startRow('PostgreSQL'),
];

/** Starts a site that shows its file and one that shows what was published, in turns. */
async function startRow(engine: 'SQLite' | 'PostgreSQL'): Promise<Row> {
  const [file, published] = [await createSite(engine), await createSite(engine)];
  try {
    await use(file.options, async () => {});
    await use(published.options, publishTenTimes);
    const starts: Record<'file' | 'published', Start[]> = { file: [], published: [] };
    for (let round = 0; round < rounds; round++) {
      starts.file.push(await timedStart(file.options));
      starts.published.push(await timedStart(published.options));
    }
    const medianOf = (measure: keyof Start, of: Start[]) =>
      median(of.map((start) => start[measure]));
    const text = (of: Start[]) =>
      `${medianOf('ms', of).toFixed(0)} ms, ${medianOf('cpu', of).toFixed(0)} ms CPU`;
    const more = medianOf('ms', starts.published) - medianOf('ms', starts.file);
    return {
      target: 'P14',
      what: `start to /healthz 200 with a published site, ${engine}`,
      ours: text(starts.published),
      baseline: `with its file ${text(starts.file)}`,
      ratio: `+${more.toFixed(0)} ms`,
      goal: '≤ +500 ms',
    };
  } finally {
    await Promise.all([file.remove(), published.remove()]);
  }
}

async function use(options: Options, act: (server: BenchServer) => Promise<void>): Promise<void> {
  const server = await startShingle(options);
  try {
    await act(server);
  } finally {
    await server.stop();
  }
}

async function createSite(
  engine: 'SQLite' | 'PostgreSQL',
): Promise<{ options: Options; remove: () => Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), 'shingle-start-'));
  const postgres = engine === 'PostgreSQL' ? await startPostgres() : undefined;
  const env = postgres && { DATABASE_URL: postgres.url, SESSION_SECRET: sharedSecret };
  return {
    options: { data, ...(env && { env }) },
    async remove() {
      await postgres?.stop();
      await rm(data, { recursive: true });
    },
  };
}

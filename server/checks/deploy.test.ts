/** Checks that deployment files and docs name only settings and files that exist. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { variableNames } from '../env.ts';
import { addressBlockOf } from '../http/request/request-info.ts';
import { throughExpress } from '../testing/express.ts';

const read = (path: string) => readFileSync(path, 'utf8');

/** Returns all capture groups of all matches, in order. */
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, ...groups]) => groups.filter((g) => g !== undefined));

/** Variables of other programs: Compose, PostgreSQL's image, Node, npm, Caddy; and of the image alone. */
const foreign =
  /^(COMPOSE_(FILE|PROFILES)|POSTGRES_(USER|DB|PASSWORD)|NODE_ENV|NPM_CONFIG_\w+|RUN_AS|UPSTREAMS|REDIRECT_FROM|TRUSTED_PROXIES)$/;

it.each([
  ['Dockerfile', /^\s*(?:ENV )?([A-Z]+_[A-Z_]+)=/gm],
  ['compose.yaml', /^\s+([A-Z][A-Z_]+):|\$\{([A-Z_]+)/gm],
  ['compose.scale.yaml', /^\s+([A-Z][A-Z_]+):|\$\{([A-Z_]+)/gm],
  ['docs/deploy/Caddyfile', /\{\$([A-Z_]+)/g],
  ['docs/deploy/Caddyfile.scale', /\{\$([A-Z_]+)/g],
  ['docs/deploy/shingle@.service', / ([A-Z_]+)=/g],
  ['fly.toml', /^([A-Z_]+) = /gm],
  ['render.yaml', /- key: ([A-Z_]+)$/gm],
])('%s sets only environment variables that exist', (path, pattern) => {
  const named = found(read(path), pattern);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !variableNames.includes(name) && !foreign.test(name))).toEqual([]);
});

it('docs/deploy.md names only environment variables that exist, and every file of docs/deploy', () => {
  const page = read('docs/deploy.md');
  const named = found(page, /(?:^|[\s`'"])([A-Z][A-Z_]{3,})=/gm);
  expect(named).toEqual(expect.arrayContaining(['PUBLIC_URL', 'DATABASE_URL', 'SESSION_SECRET']));
  expect(named.filter((name) => !variableNames.includes(name) && !foreign.test(name))).toEqual([]);

  const files = readdirSync('docs/deploy');
  expect(files.filter((name) => !page.includes(`deploy/${name}`))).toEqual([]);
});

it.each(['compose.yaml', 'compose.scale.yaml'])(
  '%s contains no password and hardens every container',
  (path) => {
    const text = read(path);
    expect(text).not.toContain('\t');
    // Containers of the site share one definition.
    const described = found(text, /^ {2,4}(image): /gm).length;
    for (const line of [
      'read_only: true',
      'cap_drop: [ALL]',
      "'no-new-privileges:true'",
      'mem_limit: ',
    ]) {
      expect(text.split(line).length - 1, line).toBe(described);
    }
    // Without capabilities the image could not drop root.
    expect(text.split('user: node').length).toBe(2);
    for (const value of found(text, /(?:PASSWORD|SECRET|DATABASE_URL): (.*)/g)) {
      expect(value).toMatch(/^\$\{/);
    }
    // Only the proxy publishes ports.
    expect(found(text, /^\s+- '(\d+):\d+/gm)).toEqual(['80', '443', '443']);
    const volumes = found(text, /^ {6}- ([a-z-]+):\/|^ {4}- ([a-z-]+):\//gm);
    for (const file of found(text, /^ {6}- \.\/(\S+?):/gm))
      expect(existsSync(file), file).toBe(true);
    const declared = found(text.slice(text.indexOf('\nvolumes:')), /^ {2}([a-z-]+):$/gm);
    expect([...new Set(volumes)].sort()).toEqual(declared.sort());
  },
);

it.each([
  ['fly.toml', /^destination = '(.+)'$/m, /^path = '(.+)'$/m],
  ['render.yaml', /mountPath: (.+)$/m, /healthCheckPath: (.+)$/m],
  ['railway.json', /"requiredMountPath": "(.+)"/, /"healthcheckPath": "(.+)"/],
])('%s mounts the data folder of the image and checks readiness', (path, mount, health) => {
  expect(mount.exec(read(path))?.[1]).toBe(/DATA_DIR=(\S+)/.exec(read('Dockerfile'))?.[1]);
  expect(health.exec(read(path))?.[1]).toBe('/readyz');
});

// The headers that requests had at these hosts; the client may send addresses before its own.
it.each([
  ['fly.toml', /^TRUST_PROXY = '(\d)'$/m, '198.51.100.1, 203.0.113.7, 66.241.124.230'],
  [
    'render.yaml',
    /TRUST_PROXY\n\s+value: '(\d)'/,
    '198.51.100.1, 203.0.113.7, 172.70.247.28, 10.19.6.53',
  ],
  ['docs/deploy.md', /`TRUST_PROXY=(\d)`/, '198.51.100.1, 203.0.113.7, 79.127.151.146'],
  [
    'docs/deploy.md behind Cloudflare',
    /TRUST_PROXY=(\d)\/' \/etc\/shingle\/env/,
    '198.51.100.1, 203.0.113.7, 172.70.247.28',
  ],
])(
  'TRUST_PROXY in %s finds the visitor’s address behind the host’s proxies',
  (path, set, header) => {
    const trustProxy = Number(set.exec(read(path.replace(/ .*/, '')))?.[1]);
    const headers = { 'x-forwarded-for': header };
    expect(throughExpress({ headers, address: '10.0.0.1', trustProxy }, addressBlockOf)).toBe(
      '203.0.113.7',
    );
  },
);

it('docs/deploy/nginx.conf serves certbot’s challenges of both names over http, from the folder that docs/deploy.md names', () => {
  const servers = read('docs/deploy/nginx.conf').split(/^server \{$/m);
  const plain = servers.filter((text) => text.includes('listen 80;')).join();
  const [, folder] = /--webroot-path (\S+)/.exec(read('docs/deploy.md')) ?? [];
  expect(plain).toContain(
    `location /.well-known/acme-challenge/ {\n        root ${folder};\n    }`,
  );
  expect(plain).toContain('server_name www.your-domain.com your-domain.com;');
  // A redirect of the whole server would come before its locations.
  expect(plain).not.toMatch(/^ {4}return/m);
  const bare = servers.find((text) => text.includes('server_name your-domain.com;'));
  expect(bare).toContain('listen 443 ssl');
  expect(bare).toContain('return 301 https://www.your-domain.com$request_uri;');
});

it('update of a clone keeps the owner’s site.config.ts, public and fly.toml whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-update-'));
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
      cwd: folder,
      stdio: 'pipe',
    });
  const kept = ['site.config.ts', 'public/photos/kept.svg', 'fly.toml'];
  const commit = (text: string, ...paths: string[]) => {
    for (const path of paths) writeFileSync(join(folder, path), `${text} 1\n2\n3\n4\n5 ${text}\n`);
    git('add', '--all');
    git('commit', '--message', text);
  };
  try {
    mkdirSync(join(folder, 'public/photos'), { recursive: true });
    copyFileSync('.gitattributes', join(folder, '.gitattributes'));
    git('init', '--initial-branch=main');
    git('config', 'merge.ours.driver', 'true');
    commit('first', ...kept, 'program.ts');
    git('branch', 'release');
    commit('owner', ...kept);
    git('switch', 'release');
    commit('release', ...kept, 'program.ts');
    git('switch', 'main');
    git('merge', '--no-edit', 'release');
    const texts = [...kept, 'program.ts'].map((path) => read(join(folder, path)).slice(0, 7));
    expect(texts).toEqual(['owner 1', 'owner 1', 'owner 1', 'release']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

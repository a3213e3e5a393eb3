/**
 * Finds a Chromium for the tests, on a developer's machine or a bare server, as root or not:
 * the one you name, the one that came with `npm ci`, or an installed one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export interface Browser {
  executablePath: string;
  args: string[];
}

/** The first browser that runs. Throws one sentence when there is none. */
export async function findBrowser(): Promise<Browser> {
  const named = process.env.BROWSER_PATH;
  // The bundled one is a headless shell: a page costs it a quarter of what it costs a whole Chromium.
  const executablePath =
    (named && runs(named) ? named : await unpackBundled()) ?? installedBrowser() ?? download();
  // Workers ask again: they shall find the same one at once.
  process.env.BROWSER_PATH = executablePath;
  return { executablePath, args };
}

/** A whole Chromium: it does some things that a headless shell does not, such as to connect ahead. */
export const installedBrowser = () => [chromium.executablePath(), ...installed].find(runs);

/** Quiet: no calls home, no sandbox that root could not have, no process for graphics. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

function runs(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    execFileSync(path, ['--version', '--no-sandbox'], { stdio: 'pipe', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

/** The Chromium of the npm package, with the system libraries a bare machine lacks. */
async function unpackBundled(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  // It unpacks to a fixed name, readable by one user only: each user gets a folder of their own.
  const own = join(tmpdir(), `chromium-of-${userInfo().username}`);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  process.env.TMPDIR = own;
  // Told that it is on a bare machine, it brings nss, fontconfig and a font along.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x';
  const { default: bundle } = await import('@sparticuz/chromium');
  const path = await bundle.executablePath();
  // Its own list of font folders names /tmp, whatever TMPDIR says.
  const fonts = join(own, 'fonts');
  writeFileSync(
    join(fonts, 'fonts.conf'),
    `<fontconfig><dir>${fonts}</dir><cachedir>${own}/fonts-cache</cachedir></fontconfig>`,
  );
  return runs(path) ? path : undefined;
}

function download(): string {
  execFileSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' });
  if (runs(chromium.executablePath())) return chromium.executablePath();
  throw new Error('No browser runs here. Please install Chromium, or set BROWSER_PATH to one.');
}

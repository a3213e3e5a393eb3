/**
 * Finds a Chromium for the tests, on a developer's machine or a bare server, as root or not:
 * `BROWSER_PATH`, then the one bundled with an npm package, then an installed one.
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

/** The first browser that runs. Throws if there is none. */
export async function findBrowser(): Promise<Browser> {
  const configured = process.env.BROWSER_PATH;
  // The bundled one is a headless shell: a page costs a quarter of what it costs in a full Chromium.
  const executablePath =
    (configured && runs(configured) ? configured : await unpackBundled()) ??
    installedBrowser() ??
    download();
  // Workers call this again and find the same browser at once.
  process.env.BROWSER_PATH = executablePath;
  return { executablePath, args };
}

/** A full Chromium, which supports features that a headless shell does not, such as preconnect. */
export const installedBrowser = () => [chromium.executablePath(), ...installed].find(runs);

/** No background requests, no sandbox (root cannot use it), no GPU process. */
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

/** The Chromium of the npm package, with the system libraries that a bare machine lacks. */
async function unpackBundled(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  // The package unpacks to a fixed path that only one user can read, so each user gets a folder.
  const before = tmpdir();
  const folder = join(process.env.TEST_PROGRAMS ?? before, `chromium-of-${userInfo().username}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.env.TMPDIR = folder;
  // This variable makes the package also unpack nss, fontconfig and a font.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x';
  const { default: bundle } = await import('@sparticuz/chromium');
  const path = await bundle.executablePath();
  process.env.TMPDIR = before;
  // The package's font configuration refers to /tmp, regardless of TMPDIR.
  const fonts = join(folder, 'fonts');
  writeFileSync(
    join(fonts, 'fonts.conf'),
    `<fontconfig><dir>${fonts}</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
  );
  return runs(path) ? path : undefined;
}

function download(): string {
  execFileSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' });
  if (runs(chromium.executablePath())) return chromium.executablePath();
  throw new Error(
    'No working browser was found. Install Chromium, or set BROWSER_PATH to a browser.',
  );
}

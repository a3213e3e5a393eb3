/** WebKitGTK's MiniBrowser, by WebDriver, on an X server without a screen. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { freePort } from '../../server/testing/free-port.ts';
import { callOf, type Engine, programOf } from './engine.ts';

const packages = 'webkit2gtk-driver xvfb';

export async function startWebKit(): Promise<Engine> {
  const { display, stop: stopDisplay } = await startDisplay();
  const port = await freePort();
  const driver = spawn(
    programOf('WEBKIT_DRIVER_PATH', '/usr/bin/WebKitWebDriver', packages),
    [`--port=${port}`],
    {
      // The sandbox needs user namespaces, which containers lack.
      env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' },
      stdio: 'ignore',
    },
  );
  const address = `http://127.0.0.1:${port}`;
  const send = async <Result>(method: string, path: string, body?: object): Promise<Result> => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${address}${path}`, { method, ...init });
    const { value } = (await response.json()) as { value: Result & { error?: string } };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await untilReady(() => send('GET', '/status'));
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', { capabilities: {} });
  const session = `/session/${sessionId}`;
  const post = <Result = unknown>(path: string, body: object) =>
    send<Result>('POST', `${session}${path}`, body);

  const evaluate: Engine['evaluate'] = async (run, ...args) => {
    const script = `${callOf(run, args)}.then(arguments[0])`;
    return JSON.parse(await post<string>('/execute/async', { script, args: [] }));
  };
  const consoleErrors: string[] = [];
  const collect = async () => void consoleErrors.push(...(await evaluate(takeConsoleErrors)));
  return {
    evaluate,
    async open(url) {
      await collect();
      await post('/url', { url });
      await evaluate(recordComplaints);
    },
    // MiniBrowser's window is at least 447 px wide.
    async resize(width, height) {
      await post('/window/rect', { width, height });
    },
    async setFiles(selector, files) {
      const found = await post<Record<string, string>>('/element', {
        using: 'css selector',
        value: selector,
      });
      await post(`/element/${Object.values(found)[0]}/value`, { text: files.join('\n') });
    },
    async replaceTab() {
      await collect();
      const { handle } = await post<{ handle: string }>('/window/new', { type: 'tab' });
      await send('DELETE', `${session}/window`);
      await post('/window', { handle });
    },
    async perform(actions) {
      await post('/actions', { actions: [actions] });
    },
    async consoleErrors() {
      await collect();
      return consoleErrors;
    },
    async close() {
      await send('DELETE', session);
      await ended(driver);
      await stopDisplay();
    },
  };
}

/** Starts an X server without a screen, on a free display. */
async function startDisplay() {
  const program = programOf('XVFB_PATH', '/usr/bin/Xvfb', packages);
  const server = spawn(program, ['-displayfd', '3', '-screen', '0', '1600x1200x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise((resolve, reject) => {
    (server.stdio[3] as Readable).once('data', resolve);
    server.once('close', () => reject(new Error('Xvfb did not start.')));
  });
  return { display: `:${String(number).trim()}`, stop: () => ended(server) };
}

async function ended(child: ChildProcess) {
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill();
  await closed;
}

async function untilReady(isReady: () => Promise<unknown>): Promise<void> {
  for (let tries = 100; ; tries--) {
    try {
      await isReady();
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

type Recorded = typeof globalThis & { consoleErrors?: string[] };

/** Runs in the page. WebDriver reports no console, so what the page prints while it loads is not seen. */
function recordComplaints(): void {
  const consoleErrors: string[] = [];
  (globalThis as Recorded).consoleErrors = consoleErrors;
  addEventListener('error', ({ message }) => consoleErrors.push(`error: ${message}`));
  addEventListener('unhandledrejection', ({ reason }) => consoleErrors.push(`error: ${reason}`));
  for (const level of ['error', 'warn'] as const) {
    const print = console[level];
    console[level] = (...values: unknown[]) => {
      consoleErrors.push(`${level}: ${values.join(' ')}`);
      print(...values);
    };
  }
}

/** Runs in the page. */
const takeConsoleErrors = () => (globalThis as Recorded).consoleErrors?.splice(0) ?? [];

/** Firefox, by WebDriver BiDi over its own WebSocket: Debian has no geckodriver. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { callOf, type Engine, programOf } from './engine.ts';

export async function startFirefox(): Promise<Engine> {
  const program = programOf('FIREFOX_PATH', '/usr/bin/firefox-esr', 'firefox-esr');
  const profile = mkdtempSync(join(tmpdir(), 'shingle-firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const browser = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => browser.on('close', resolve));
  const bidi = await connect(`${await addressOf(browser.stderr)}/session`);
  const consoleErrors: string[] = [];
  bidi.onEvent('log.entryAdded', ({ level, text, source }) => {
    const from = (source as { url?: string } | undefined)?.url ?? '';
    if (level === 'error' || level === 'warn') consoleErrors.push(`${level}: ${text} ${from}`);
  });
  await bidi.send('session.new', { capabilities: {} });
  await bidi.send('session.subscribe', { events: ['log.entryAdded'] });
  // In the first tab the address bar keeps the focus, and date inputs ignore the keyboard.
  let context = await openTab(bidi);
  return {
    async open(url) {
      await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async resize(width, height) {
      await bidi.send('browsingContext.setViewport', { context, viewport: { width, height } });
    },
    async evaluate(run, ...args) {
      const { result, exceptionDetails } = await bidi.send<{
        result?: { value: string };
        exceptionDetails?: { text: string };
      }>('script.evaluate', {
        expression: callOf(run, args),
        target: { context },
        awaitPromise: true,
      });
      if (!result) throw new Error(exceptionDetails?.text);
      return JSON.parse(result.value);
    },
    async setFiles(selector, files) {
      const { result } = await bidi.send<{ result: { sharedId: string } }>('script.evaluate', {
        expression: `document.querySelector(${JSON.stringify(selector)})`,
        target: { context },
        awaitPromise: false,
      });
      await bidi.send('input.setFiles', { context, element: { sharedId: result.sharedId }, files });
    },
    async replaceTab() {
      const old = context;
      context = await openTab(bidi);
      await bidi.send('browsingContext.close', { context: old });
    },
    async perform(actions) {
      await bidi.send('input.performActions', { context, actions: [actions] });
    },
    consoleErrors: async () => consoleErrors,
    async close() {
      await bidi.send('browser.close', {});
      await ended;
      rmSync(profile, { recursive: true, maxRetries: 5 });
    },
  };
}

/** Opens a tab, which gets the focus; resolves to its context. */
const openTab = async (bidi: Awaited<ReturnType<typeof connect>>): Promise<string> =>
  (await bidi.send<{ context: string }>('browsingContext.create', { type: 'tab' })).context;

/** The WebSocket address that Firefox prints when it is ready. */
async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  const lines: string[] = [];
  for await (const line of createInterface(output)) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (!address) lines.push(line);
    else {
      output.resume();
      return address;
    }
  }
  throw new Error(`Firefox did not start:\n${lines.join('\n')}`);
}

type Parameters = Record<string, unknown>;
type Listener = (parameters: Parameters) => void;

/** Connects to a BiDi WebSocket. A command resolves to its result, or rejects with the browser's error. */
async function connect(address: string) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  const listeners = new Map<string, Listener>();
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (message.type === 'event') return listeners.get(message.method)?.(message.params);
    const command = pending.get(message.id);
    pending.delete(message.id);
    if (message.type === 'success') command?.resolve(message.result);
    else command?.reject(new Error(`${message.error}: ${message.message}`));
  });
  socket.on('close', () => {
    for (const { reject } of pending.values()) reject(new Error('Firefox closed the connection.'));
  });
  let lastId = 0;
  return {
    onEvent: (method: string, listener: Listener) => void listeners.set(method, listener),
    send<Result>(method: string, params: Parameters): Promise<Result> {
      lastId += 1;
      socket.send(JSON.stringify({ id: lastId, method, params }));
      return new Promise<unknown>((resolve, reject) => {
        pending.set(lastId, { resolve, reject });
      }) as Promise<Result>;
    },
  };
}

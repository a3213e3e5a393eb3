/** Reads the environment, opens the site, listens, and stops with grace. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { readEnv } from './env.ts';
import { loadPages } from './http/pages.ts';
import { createLog } from './log.ts';
import { embeds, openSite } from './site.ts';
import { codeOf, sentenceFor } from './startup-errors.ts';

/** How long requests that are under way may take once we are told to stop. */
const grace = 10_000;

async function main(): Promise<void> {
  const env = readEnv(process.env);
  const log = createLog(env.LOG_LEVEL, { pretty: false });
  const pages = loadPages(fileURLToPath(new URL('..', import.meta.url)), embeds);
  const site = await openSite({ env, pages, log });
  const server = createServer(site.handler);

  const stop = async () => {
    const deadline = setTimeout(() => server.closeAllConnections(), grace);
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeIdleConnections();
    });
    clearTimeout(deadline);
    await site.close();
  };
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      stop().then(() => process.exit(0), fail);
    });
  }

  server.on('error', (error: NodeJS.ErrnoException) => {
    void site.close().finally(() => fail(error, env.PORT));
  });
  server.listen({ port: env.PORT, host: env.HOST }, () => {
    const { port } = server.address() as AddressInfo;
    const address = env.PUBLIC_URL ?? `http://${env.HOST ?? 'localhost'}:${port}`;
    console.log(`Shingle is ready: ${address}`);
    console.log(`Its data lives in ${env.DATA_DIR}`);
    if (site.generatedPassword) {
      console.log(`\nYour admin password: ${site.generatedPassword}`);
      console.log(`It is shown this once. Sign in at ${address}/admin\n`);
    }
  });
}

/** Ends the process with one line a person can act on. */
function fail(error: unknown, port?: number): never {
  console.error(portSentence(error, port) ?? sentenceFor(error) ?? traceOf(error));
  process.exit(1);
}

function portSentence(error: unknown, port: number | undefined): string | undefined {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken. Please stop what uses it, or start with another: PORT=3001 npm start`;
  }
  if (code === 'EACCES') {
    return `Port ${port} needs more rights. Please start with another: PORT=3001`;
  }
  return undefined;
}

const traceOf = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

main().catch((error: unknown) => fail(error));

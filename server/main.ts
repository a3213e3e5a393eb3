/** Reads the environment, opens the site, listens, and shuts down gracefully. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { site as siteConfig } from '../site.config.ts';
import { localOrigin } from './app/local-origin.ts';
import { openSite } from './app/site.ts';
import { sitePages } from './app/site-pages.ts';
import { createIsOutdated, stampOf } from './build/stamp.mjs';
import { type Env, readEnv } from './env.ts';
import { codeOf } from './errors.ts';
import { sentenceFor } from './health/storage-errors.ts';
import { createListener } from './http/listener.ts';
import { settingsVariables } from './http/pages/settings-variables.ts';
import { offlineChecks } from './launch-check/check.ts';
import { countOf, countSentence } from './launch-check/finding.ts';
import { createLog } from './log.ts';
import { backupBy } from './maintenance/backup/program.ts';
import { giveToOwner } from './stores/data-folder.ts';
import { connectionsAllowed } from './stores/open-files.ts';
import { nameOf } from './stores/stores.ts';

/**
 * How long pending requests may take after the stop signal, in ms: longer than a write waits for a busy
 * database, and with the rest of the shutdown less than Docker's ten seconds.
 */
const graceMs = 6000;

/** When the process exits at the latest after the stop signal, in ms. */
const exitTimeoutMs = 9500;

async function main(): Promise<void> {
  // New files are readable by their owner only, even in a shared folder.
  process.umask(0o077);
  const env = readEnv(process.env);
  // Fails before anything is opened, if the limit is too low.
  connectionsAllowed();
  const log = createLog(env.LOG_LEVEL, { pretty: false });
  const dist = fileURLToPath(new URL('..', import.meta.url));
  const pages = sitePages(dist, {
    built: siteConfig,
    settings: settingsVariables,
    log,
  });
  const stamp = stampOf(dist);
  const backUpTo = backupBy(fileURLToPath(new URL('admin.js', import.meta.url)), env.DATA_DIR);
  // A PostgreSQL server has its own nightly backups.
  const backUp =
    env.DATABASE_URL === undefined
      ? (signal: AbortSignal) => backUpTo('--nightly', signal)
      : undefined;
  const site = await openSite({
    env,
    config: siteConfig,
    pages,
    log,
    backUp,
    backUpTo,
    ...(stamp !== undefined && { isOutdated: createIsOutdated(stamp) }),
  });
  const { server, stop } = createListener(site.handler, { log });
  server.on('clientError', site.handleClientError);

  const immediate = new AbortController();
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal skips the wait for pending requests. Stored data is safe.
      if (isStopping) return immediate.abort();
      isStopping = true;
      setTimeout(() => fail('The database was busy to the end.'), exitTimeoutMs).unref();
      stop({ graceMs, signal: immediate.signal })
        .then(site.close)
        .then(() => process.exit(0), fail);
    });
  }

  try {
    await listening(server.listen({ port: env.PORT, host: env.HOST }));
  } catch (error) {
    await site.close();
    fail(listenSentence(error, env) ?? error);
  }
  const { password, setupPath } = await site.ensurePassword();
  giveToOwner(env.DATA_DIR);
  const { port } = server.address() as AddressInfo;
  const here = localOrigin(env.HOST, port);
  const address = env.PUBLIC_URL ?? here;
  void site.prepare(address);
  const lines = [`Shingle is ready: ${address}`];
  if (env.PUBLIC_URL) lines.push(`It listens at ${here}`);
  lines.push(`Its data is in ${nameOf(env)}`);
  const hasReportKey = await site.hasReportKey();
  const count = countOf(offlineChecks({ site: site.config(), env, hasReportKey }));
  if (count > 0) lines.push(`${countSentence(count)}: npm run launch-check`);
  if (password) {
    // Services and containers store this output in their logs.
    const caution = 'where a log keeps this, change it: npm run admin -- password';
    lines.push('', `Your admin password: ${password} (${caution})`);
    lines.push(`It is shown this once. Sign in at ${address}/admin`, '');
  }
  if (setupPath) lines.push(`Set up your site in the browser: ${address}${setupPath}`, '');
  console.log(lines.join('\n'));
}

const listening = (server: Server) =>
  new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });

/** Prints one actionable line, or the stack of an unexpected error, and exits with code 1. */
function fail(reason: unknown): never {
  console.error(typeof reason === 'string' ? reason : (sentenceFor(reason) ?? traceOf(reason)));
  process.exit(1);
}

/** The sentence for an error of `listen`; undefined for an unexpected one. */
function listenSentence(error: unknown, { PORT, HOST }: Env): string | undefined {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    return `Port ${PORT} is taken. Please stop what uses it, or start with another: PORT=3001 npm start`;
  }
  if (code === 'EACCES') {
    return `Port ${PORT} needs more rights. Please start with another: PORT=3001 npm start`;
  }
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
    return `HOST must name an address of this machine, not "${HOST}". For example: HOST=127.0.0.1`;
  }
  return undefined;
}

const traceOf = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

main().catch(fail);

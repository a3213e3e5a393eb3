/**
 * Checks the import boundaries of `docs/architecture.md`.
 *
 * Imports point one way, from entry points down to shared modules: a higher rank imports a lower one.
 */
import { posix } from 'node:path';

/** A source file: its path from the project's root, and its text. */
export interface Source {
  path: string;
  text: string;
}

type Rank = [pattern: RegExp, rank: number];

const serverRanks: Rank[] = [
  [/^server\/(main\.ts|cli\/|build\/|launch-check\/main\.ts|run\.mjs)/, 9],
  [/^server\/(app\/site\.ts|launch-check\/)/, 8],
  [/^server\/app\/(app|background|rate-limiters)\.ts/, 7],
  [/^server\/(http|maintenance\/(backup|transfer))\//, 6],
  [/^server\/(trpc\/(router|call)|app\/stores)\.ts/, 5],
  [/^server\/(contact|auth|analytics|stripe|sales|booking|reports)\//, 4],
  [/^server\/trpc\/trpc\.ts/, 3],
  [/^server\/trpc\/context\.ts/, 2],
  [/^server\//, 1],
];

const clientRanks: Rank[] = [
  [/^src\/(main\.tsx|boot\/boot\.ts|prerender\/prerender\.tsx)$/, 6],
  [/^src\/(app|prerender\/(document|not-found))\.tsx$/, 5],
  [/^src\/(islands|seo)\//, 4],
  [/^src\/(landing|auth|dashboard|insights|inbox|admin)\//, 3],
  [/^src\/(contact|booking|quiz|attribution)\//, 2],
  [/^src\//, 1],
];

/** The features: folders in one pattern may import each other. */
const features = [
  /^server\/contact\//,
  /^server\/auth\//,
  /^server\/analytics\//,
  /^server\/(stripe|sales)\//,
  /^server\/booking\//,
  /^server\/reports\//,
  /^src\/landing\//,
  /^src\/auth\//,
  /^src\/(dashboard|insights|inbox|admin)\//,
  /^src\/contact\//,
  /^src\/booking\//,
  /^src\/quiz\//,
  /^src\/attribution\//,
];

/** Modules of the contract that the browser also runs, instead of importing types only. */
const shared = /^server\/contract\/(routes|placeholder|referral)\.ts$/;

/** Returns one sentence for each import that breaks a rule. Tests and their helpers are exempt. */
export function violationsOf(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => !/^(server|src)\/testing\/|\.test\.tsx?$/.test(path))
    .flatMap(({ path, text }) =>
      importsOf(text).flatMap(({ from, isType }) => {
        const rule = brokenRule(path, resolved(path, from), isType);
        return rule ? [`${path} imports ${from}: ${rule}`] : [];
      }),
    );
}

/** Returns the rule that an import breaks, if any. */
function brokenRule(path: string, target: string, isType: boolean): string | undefined {
  const isInternal = /^(src|server)\/|^site\.config\.ts$/.test(target);
  if (path === 'site.config.ts') return 'the owner’s file imports nothing';
  if (path.startsWith('src/') && target.startsWith('server/')) {
    if (!target.startsWith('server/contract/')) return 'browser code imports server/contract only';
    return isType || shared.test(target)
      ? undefined
      : 'of server/contract, browser code imports routes, placeholder, referral and types only';
  }
  if (path.startsWith('server/') && target.startsWith('src/'))
    return 'the server never imports src';
  if (
    path.startsWith('server/contract/') &&
    isInternal &&
    !isType &&
    !target.startsWith('server/contract/')
  ) {
    return 'browser code imports the contract, so the contract imports types only';
  }
  const own = featureOf(path);
  if (own && path.startsWith('server/') && target === 'express')
    return 'a feature never imports Express';
  if (!isInternal || isType) return undefined;
  const other = featureOf(target);
  const [ownRank, targetRank] = [rankOf(path), rankOf(target)];
  if (own && other && own !== other && ownRank === targetRank) {
    return 'a feature never imports another feature';
  }
  return ownRank < targetRank ? 'imports point downwards' : undefined;
}

const featureOf = (path: string) => features.find((pattern) => pattern.test(path));

function rankOf(path: string): number {
  const ranks = path.startsWith('server/') ? serverRanks : clientRanks;
  return ranks.find(([pattern]) => pattern.test(path))?.[1] ?? 0;
}

const resolved = (path: string, from: string) =>
  from.startsWith('.') ? posix.join(posix.dirname(path), from.replace(/\?.*$/, '')) : from;

/** Lists the static and dynamic imports of a module; `isType` when they are erased at run time. */
function importsOf(text: string): { from: string; isType: boolean }[] {
  const statements = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
  const dynamic = /(typeof\s+)?\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
  return [...text.matchAll(statements), ...text.matchAll(dynamic)].map(([, type, from = '']) => ({
    from,
    isType: type !== undefined,
  }));
}

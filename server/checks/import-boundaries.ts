/**
 * The import rules of the house (`docs/architecture.md`), as a function of the sources.
 *
 * Everything points one way: from what starts things down to what everything stands on.
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
  [/^server\/app\/(app|background|rate-limiters|startup-errors)\.ts/, 7],
  [/^server\/(http|maintenance\/(backup|transfer))\//, 6],
  [/^server\/(trpc\/(router|call)|app\/stores)\.ts/, 5],
  [/^server\/(contact|auth|analytics|stripe|booking|reports|maintenance)\//, 4],
  [/^server\/trpc\/trpc\.ts/, 3],
  [/^server\/trpc\/context\.ts/, 2],
  [/^server\//, 1],
];

const clientRanks: Rank[] = [
  [/^src\/(main\.tsx|boot\/boot\.ts|prerender\/prerender\.tsx)$/, 6],
  [/^src\/(app\.tsx|prerender\/)/, 5],
  [/^src\/(islands|seo)\//, 4],
  [/^src\/(landing|auth|dashboard|insights|inbox|admin)\//, 3],
  [/^src\/(contact|booking|quiz|attribution)\//, 2],
  [/^src\//, 1],
];

const feature =
  /^(?:server\/(?:contact|auth|analytics|stripe|booking|reports)|src\/(?:landing|auth|contact|booking|quiz|attribution))\//;

/** What both sides run, not only agree on. */
const shared = /^server\/contract\/(routes|placeholder|referral)\.ts$/;

/** Each import that breaks a rule, as a sentence. Tests and their helpers are free. */
export function violationsOf(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => !/^(server|src)\/testing\/|\.test\.tsx?$/.test(path))
    .flatMap(({ path, text }) =>
      importsOf(text).flatMap(({ from, isType }) => {
        const broken = ruleBrokenBy(path, resolved(path, from), isType);
        return broken ? [`${path} imports ${from}: ${broken}`] : [];
      }),
    );
}

function ruleBrokenBy(path: string, target: string, isType: boolean): string | undefined {
  const isOurs = /^(src|server)\/|^site\.config\.ts$/.test(target);
  if (path === 'site.config.ts') return 'the owner’s file imports nothing';
  if (path.startsWith('src/') && target.startsWith('server/')) {
    if (!target.startsWith('server/contract/')) return 'the browser sees server/contract only';
    return isType || shared.test(target)
      ? undefined
      : 'of the contract, the browser takes the table, placeholders, arrivals and types';
  }
  if (path.startsWith('server/') && target.startsWith('src/')) return 'the server never needs src';
  if (
    path.startsWith('server/contract/') &&
    isOurs &&
    !isType &&
    !target.startsWith('server/contract/')
  ) {
    return 'the contract is imported by the browser, so it may import types only';
  }
  const own = feature.exec(path)?.[0];
  if (own?.startsWith('server/') && target === 'express') return 'a feature knows no Express';
  if (!isOurs || isType) return undefined;
  const other = feature.exec(target)?.[0];
  const [ours, theirs] = [rankOf(path), rankOf(target)];
  if (own && other && own !== other && ours === theirs) return 'a feature imports no other feature';
  return ours < theirs ? 'imports point downwards' : undefined;
}

function rankOf(path: string): number {
  const ranks = path.startsWith('server/') ? serverRanks : clientRanks;
  return ranks.find(([pattern]) => pattern.test(path))?.[1] ?? 0;
}

const resolved = (path: string, from: string) =>
  from.startsWith('.') ? posix.join(posix.dirname(path), from.replace(/\?.*$/, '')) : from;

/** What a module imports, statically or not; `isType` when nothing of it is left at run time. */
function importsOf(text: string): { from: string; isType: boolean }[] {
  const statements = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
  const dynamic = /(typeof\s+)?\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
  return [...text.matchAll(statements), ...text.matchAll(dynamic)].map(([, type, from = '']) => ({
    from,
    isType: type !== undefined,
  }));
}

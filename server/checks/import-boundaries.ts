/**
 * Checks the import rules of `docs/architecture.md`. Type imports count like all others: they tie two files
 * together for the reader.
 */
import { posix } from 'node:path';

/** A source file: its path from the project's root, and its text. */
export interface Source {
  path: string;
  text: string;
}

/** From top to bottom: a file imports from its own layer and from those below it. */
const serverLayers = [
  /^server\/(main\.ts|run\.mjs|cli\/|build\/|client\/|launch-check\/main\.ts)/,
  /^server\/(app\/site|launch-check\/stored-sales)\.ts/,
  /^server\/app\/configured\.ts/,
  /^server\/app\/connection-trials\.ts/,
  /^server\/app\/(app|mail|owner-alerts)\.ts/,
  /^server\/app\/(core|rate-limiters|site-pages)\.ts/,
  /^server\/app\/platform\.ts/,
  /^server\/(http|maintenance)\//,
  /^server\/stores\//,
  /^server\/contract\/(api|routes|route-table)\.ts/,
  /^server\/app\/router\.ts/,
  /^server\/\w+\/router\.ts/,
  /^server\/trpc\/trpc\.ts/,
  /^server\/app\/context\.ts/,
  /^server\/content\//,
  /^server\/(contact|auth|booking|reports|settings|keys|connections|people|launch-check)\//,
  /^server\/analytics\//,
  /^server\/sales\//,
  /^server\/(email|webhooks|rate-limit|health|attribution|trpc\/errors\.ts)/,
  /^server\/database\//,
  /^server\//,
];

const clientLayers = [
  /^src\/(main\.tsx|boot\/boot\.ts|prerender\/prerender\.tsx)$/,
  /^src\/(app|prerender\/[\w-]+)\.tsx$/,
  /^src\/(islands|seo)\//,
  /^src\/(setup|settings)\//,
  /^src\/(landing|auth|dashboard|inbox|bookings|editor)\//,
  /^src\/insights\//,
  /^src\/admin\//,
  /^src\/(contact|booking|quiz|attribution)\//,
  /^src\//,
];

/** Features import no other feature but those of a layer below. */
const featureFolder =
  /^(server\/(contact|auth|analytics|sales|booking|reports|settings|keys|connections|people)|src\/(landing|auth|dashboard|inbox|bookings|settings|editor|contact|booking|quiz|attribution))\//;

/** Server features with layers of their own. */
const layeredFeatures = /^server\/(analytics|sales)\//;

/** Folders that only some folders import. */
const importers: { target: RegExp; from: RegExp; rule: string }[] = [
  {
    target: /^src\/insights\//,
    from: /^src\/(dashboard|insights)\//,
    rule: 'only the dashboard imports the insights',
  },
  {
    target: /^src\/admin\//,
    from: /^src\/(main\.tsx$|(dashboard|insights|inbox|bookings|settings|setup|editor|admin)\/)/,
    rule: 'only main, admin screens and insights import src/admin',
  },
  {
    target: layeredFeatures,
    from: /^server\/(?!(contact|auth|settings|keys)\/)/,
    rule: 'of the features, only booking and reports import the analytics and sales',
  },
];

/** Modules of the contract that the browser runs, instead of importing their types only. */
const wireCode =
  /^server\/contract\/(routes|referral|calls|contact-fields|contrast|document-changes|money|file-text|honeypot|mailto|numbers|times|button-names|pages|password-strength|random-secret|photos|stripe|font-subsets|(sample|words)\/\w+)\.ts$/;

/** Server modules that read the owner's file. All others take the document that the site shows. */
const readsConfig = /^server\/(main|cli\/admin|launch-check\/main)\.ts$/;

/** Returns one sentence for each import that breaks a rule. Tests and their helpers are exempt. */
export function violationsOf(sources: Source[]): string[] {
  const files = sources
    .filter(({ path }) => !/^(server|src)\/testing\/|\.test\.tsx?$/.test(path))
    .map(({ path, text }) => ({ path, imports: importsOf(path, text) }));
  const broken = files.flatMap(({ path, imports }) =>
    imports.flatMap(({ target, isType }) => {
      const rule = brokenRule(path, target, isType);
      return rule ? [`${path} imports ${target}: ${rule}`] : [];
    }),
  );
  return [
    ...broken,
    ...cyclesOf(files).map((cycle) => `${cycle.join(' → ')}: imports form a cycle`),
  ];
}

/** Returns the rule that an import breaks, if any. */
function brokenRule(path: string, target: string, isType: boolean): string | undefined {
  const isServer = path.startsWith('server/');
  if (path.startsWith('site.')) {
    const isWords = isType && target.startsWith('server/contract/words/');
    if (path === 'site.defaults.ts' && (isWords || target.startsWith('site.'))) return undefined;
    return 'both sides read it, so it imports nothing';
  }
  if (!isServer && target.startsWith('server/')) {
    if (!target.startsWith('server/contract/')) return 'browser code imports server/contract only';
    return isType || wireCode.test(target)
      ? undefined
      : 'browser code imports only types and the modules of wireCode from server/contract';
  }
  if (isServer && target.startsWith('src/')) {
    if (path.startsWith('server/build/') && isType) return undefined;
    return 'the server imports no browser code; server/build, which renders it, imports its types';
  }
  if (path.startsWith('server/contract/') && !isType && !target.startsWith('server/contract/')) {
    return 'browser code imports the contract, so the contract imports types only';
  }
  if (isServer && target === 'site.config.ts' && !isType && !readsConfig.test(path)) {
    return 'the server takes the site’s document as a value; only programs read site.config.ts';
  }
  const [feature, other] = [featureOf(path), featureOf(target)];
  if (feature && isServer && target === 'express') return 'a feature imports no Express';
  if (!/^(src|server)\//.test(target)) return undefined;
  const restricted = importers.find((one) => one.target.test(target) && !one.from.test(path));
  if (restricted) return restricted.rule;
  const layers = isServer ? serverLayers : clientLayers;
  const [own, below] = [layerOf(layers, path), layerOf(layers, target)];
  if (below < own) return 'imports point downwards';
  const isOpen = isServer ? layeredFeatures.test(target) : own !== below;
  return feature && other && feature !== other && !isOpen
    ? 'a feature imports no other feature'
    : undefined;
}

const featureOf = (path: string) => featureFolder.exec(path)?.[1];
const layerOf = (layers: RegExp[], path: string) => layers.findIndex((layer) => layer.test(path));

/** Returns the import cycles, each from one of its files back to the same file. */
function cyclesOf(files: { path: string; imports: { target: string }[] }[]): string[][] {
  const importsByPath = new Map(files.map(({ path, imports }) => [path, imports]));
  const isDone = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path]);
    if (start >= 0 || isDone.has(path)) return;
    for (const { target } of importsByPath.get(path) ?? []) visit(target, [...trail, path]);
    isDone.add(path);
  };
  for (const { path } of files) visit(path, []);
  return cycles;
}

/**
 * Lists the static and dynamic imports of a module: a path from the project's root, or a package. `isType`
 * when the import is erased at run time.
 */
function importsOf(path: string, text: string): { target: string; isType: boolean }[] {
  const statements = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
  const dynamic = /(typeof\s+)?\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
  return [...text.matchAll(statements), ...text.matchAll(dynamic)].map(([, type, from = '']) => ({
    target: from.startsWith('.')
      ? posix.join(posix.dirname(path), from.replace(/\?.*$/, ''))
      : from,
    isType: type !== undefined,
  }));
}

import { type Check, countOf, countSentence, findingsOf, topics } from './finding.ts';

const symbols = { todo: '✗', unknown: '?', advice: '·' };
const order = Object.keys(symbols);

/**
 * Formats the findings for the owner: by topic, with things to do first and their count at the end.
 */
export function reportOf(checks: readonly Check[]): string {
  const parts = Object.entries(topics).flatMap(([topic, title]) => {
    const findings = findingsOf(checks.filter((check) => check.topic === topic));
    const isOfFile = findings.some(({ line }) => line !== undefined);
    const heading = isOfFile ? `${title} (site.config.ts)` : title;
    const lines = findings
      .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
      .map(
        ({ kind, where, text, line }) =>
          `  ${symbols[kind]} ${line === undefined ? '' : `line ${line}: `}${where} ${text}`,
      );
    return lines.length > 0 ? [`${heading}\n${lines.join('\n')}`] : [];
  });
  return [...parts, summaryOf(checks)].join('\n\n');
}

function summaryOf(checks: readonly Check[]): string {
  const count = countOf(checks);
  const unknown = findingsOf(checks).filter(({ kind }) => kind === 'unknown').length;
  const summary = count === 0 ? 'Nothing left to do before going live' : countSentence(count);
  return `${summary}${unknown > 0 ? `; ${unknown} marked ? could not be checked from here` : ''}.`;
}

import { countOf, countSentence, type Finding, topics } from './finding.ts';

const symbols = { todo: '✗', unknown: '?', advice: '·' };
const order = Object.keys(symbols);

/**
 * Formats the findings for the owner: by topic, with things to do first and their count at the end.
 */
export function reportOf(findings: Finding[]): string {
  const parts = Object.entries(topics).flatMap(([topic, heading]) => {
    const lines = findings
      .filter((finding) => finding.topic === topic)
      .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
      .map(({ kind, where, text }) => `  ${symbols[kind]} ${where} ${text}`);
    return lines.length > 0 ? [`${heading}\n${lines.join('\n')}`] : [];
  });
  return [...parts, summaryOf(findings)].join('\n\n');
}

function summaryOf(findings: Finding[]): string {
  const count = countOf(findings);
  const unknown = findings.filter(({ kind }) => kind === 'unknown').length;
  const summary = count === 0 ? 'Nothing left to do before going live' : countSentence(count);
  return `${summary}${unknown > 0 ? `; ${unknown} marked ? could not be checked from here` : ''}.`;
}

import { countOf, countSentence, type Finding, topics } from './finding.ts';

const marks = { todo: '✗', unknown: '?', advice: '·' };
const order = Object.keys(marks);

/** The findings as the owner reads them: by topic, what is to be done first, and the count. */
export function reportOf(findings: Finding[]): string {
  const parts = Object.entries(topics).flatMap(([topic, heading]) => {
    const lines = findings
      .filter((finding) => finding.topic === topic)
      .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
      .map(({ kind, where, text }) => `  ${marks[kind]} ${where} ${text}`);
    return lines.length > 0 ? [`${heading}\n${lines.join('\n')}`] : [];
  });
  return [...parts, verdictOn(findings)].join('\n\n');
}

function verdictOn(findings: Finding[]): string {
  const count = countOf(findings);
  const unknown = findings.filter(({ kind }) => kind === 'unknown').length;
  const verdict = count === 0 ? 'Nothing left to do before going live' : countSentence(count);
  return `${verdict}${unknown > 0 ? `; ${unknown} marked ? could not be checked from here` : ''}.`;
}

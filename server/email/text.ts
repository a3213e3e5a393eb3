/** Renders emails as plain text. */
import { inLine, inLines } from '../text/printable.ts';
import type { Block, Figure } from './email.ts';

/** Returns the plain text of an email. */
export const toText = (blocks: readonly Block[]): string =>
  inLines(blocks.map(textOf).join('\n\n'));

function textOf(block: Block): string {
  switch (block.kind) {
    case 'quote':
      return block.isIndented ? indented(block.text) : block.text;
    case 'sender':
      return `${inLine(block.name)} <${block.address}>`;
    case 'signature':
      // Mail programs recognise a signature by this line (RFC 3676, section 4.3).
      return ['-- ', inLine(block.name), block.address, block.note].join('\n');
    case 'facts':
    case 'figures':
      return block.rows.map(rowOf).map(inLine).join('\n');
    case 'list':
      return block.items.map(inLine).join('\n');
    case 'button':
      return `${block.label}: ${block.url}`;
    case 'text':
      return block.text;
    default:
      return inLine(block.text);
  }
}

const rowOf = ({ name, value, note }: Figure) => `${name}: ${value}${note ? ` (${note})` : ''}`;

const indented = (text: string) =>
  inLines(text)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

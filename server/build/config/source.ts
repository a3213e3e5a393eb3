/**
 * `site.config.ts` as text: what it says, on which line it says it, and why it cannot be read, in a
 * sentence for somebody who has never programmed.
 */
import { type ESTree, parseSync, transformWithOxc } from 'vite';

export interface Source {
  /** The value of `site`. */
  site: unknown;
  /** The line, from 1, of the field at a path; of what it stands in when it is missing. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** Thrown when the file cannot be read at all. */
export class Unreadable extends Error {
  readonly line: number;

  constructor(line: number, sentence: string) {
    super(sentence);
    this.line = line;
  }
}

const fileName = 'site.config.ts';

/** Reads the text of a file that exports `site`. Throws `Unreadable`. */
export async function readSource(text: string): Promise<Source> {
  const { program, errors } = parseSync(fileName, text);
  const [error] = errors;
  if (error) {
    const at = error.labels[0]?.start ?? 0;
    throw unreadable(text, { message: error.message, at, opened: error.labels[1]?.start });
  }
  const value = valueOfSite(program);
  if (!value) {
    throw new Unreadable(1, 'the line "export const site = {" is missing.');
  }
  const lineOf = (path: readonly PropertyKey[]) => lineAt(text, nodeAt(value, path).start);
  const { code } = await transformWithOxc(text, fileName);
  try {
    const module = await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
    );
    return { site: module.site, lineOf };
  } catch (error) {
    throw notRun(text, error);
  }
}

interface SyntaxFault {
  message: string;
  /** Where reading stopped, and where the bracket stands that was still open. */
  at: number;
  opened: number | undefined;
}

/** Names the mistake that most likely led to where reading stopped. */
function unreadable(text: string, { message, at, opened }: SyntaxFault): Unreadable {
  const before = text.slice(0, at);
  const line = lineAt(text, at);
  if (/unterminated string/i.test(message)) {
    return new Unreadable(line, "a text is not closed: the quote ' at its end is missing.");
  }
  if (/[‘’“”]/.test(text[at] ?? '')) {
    return new Unreadable(
      line,
      "the quotes around a text are curly. Please write straight ones: '…'.",
    );
  }
  const isWord = /^[\p{L}\p{N}]/u.test(text.slice(at));
  if (isWord && /[\p{L}\p{N}]['"]$/u.test(before)) {
    return new Unreadable(
      line,
      'a quote inside a text ends the text. Please write ’ there, like in "I’m".',
    );
  }
  if (isWord && /[\p{L}\p{N}][ \t]+$/u.test(before)) {
    return new Unreadable(line, "a text stands without quotes. Please write '…' around it.");
  }
  const end = before.trimEnd().length;
  if (/^Expected `,`/.test(message) && /^[\p{L}\p{N}'"{[]/u.test(text.slice(at))) {
    return new Unreadable(lineAt(text, end - 1), 'a comma is missing at the end of this line.');
  }
  // Of the curly ones the outermost are open nearly always.
  if (/^Expected `,`/.test(message) && opened !== undefined && text[opened] === '[') {
    return new Unreadable(
      lineAt(text, opened),
      `the bracket [ in this line is not closed. Reading stopped in line ${line}.`,
    );
  }
  return new Unreadable(
    line,
    'something is missing or too much here or just before: a quote, a comma or a bracket.',
  );
}

/** The file was read, but asks for something that is not there. */
function notRun(text: string, error: unknown): Unreadable {
  const message = error instanceof Error ? error.message : String(error);
  const [, name] = /^(\S+) is not defined$/.exec(message) ?? [];
  if (name) {
    const at = text.search(new RegExp(`[:[,]\\s*${name.replaceAll('$', '\\$')}\\b`));
    return new Unreadable(
      lineAt(text, text.indexOf(name, Math.max(at, 0))),
      `${name} stands without quotes. Please write '${name}'.`,
    );
  }
  return new Unreadable(1, `it cannot be read: ${message.split('\n', 1)[0]}`);
}

function valueOfSite({ body }: ESTree.Program): ESTree.Expression | undefined {
  for (const statement of body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const { declaration } = statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' && id.name === 'site' && init) return init;
    }
  }
  return undefined;
}

type Node = { type: string; start: number };

/** The node of the field at `path`, as far as there is one. */
function nodeAt(root: ESTree.Expression, path: readonly PropertyKey[]): Node {
  let place: Node = root;
  let value: ESTree.Expression | undefined = root;
  for (const key of path) {
    const found: Found | undefined = value && child(value, key);
    if (!found) break;
    place = found.place;
    value = found.value;
  }
  return place;
}

interface Found {
  place: Node;
  value: ESTree.Expression | undefined;
}

function child(value: ESTree.Expression, key: PropertyKey): Found | undefined {
  if (value.type === 'ArrayExpression') {
    const element = value.elements[Number(key)];
    if (!element || element.type === 'SpreadElement') return undefined;
    return { place: element, value: element };
  }
  if (value.type !== 'ObjectExpression') return undefined;
  for (const property of value.properties) {
    if (property.type === 'Property' && nameOf(property.key) === key) {
      return { place: property, value: property.value };
    }
  }
  return undefined;
}

const nameOf = (key: ESTree.PropertyKey) => {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
};

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length;

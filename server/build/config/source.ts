/**
 * Parses the text of `site.config.ts`: its value, the lines of its fields, and syntax errors as sentences
 * for readers who do not program.
 */
import { type ESTree, parseSync, transformWithOxc } from 'vite';

export interface Source {
  /** The value of `site`. */
  site: unknown;
  /** Returns the line, from 1, of the field at a path; of its group when the field is missing. */
  lineOf(path: readonly PropertyKey[]): number;
  /** The text of the comment above each field of a group, by its path; that above the export by ''. */
  comments: Record<string, string>;
}

/** Thrown when the file cannot be parsed or run; the message describes why. */
export class UnreadableConfig extends Error {
  readonly line: number;

  constructor(line: number, sentence: string) {
    super(sentence);
    this.line = line;
  }
}

const fileName = 'site.config.ts';

/** Parses and runs the text of a file that exports `site`. Throws `UnreadableConfig`. */
export async function readSource(text: string): Promise<Source> {
  const { program, comments, errors } = parseSync(fileName, text);
  const [error] = errors;
  if (error) {
    throw syntaxErrorOf(text, { message: error.message, at: error.labels[0]?.start ?? 0 });
  }
  const value = exportedValue(program, 'site');
  if (!value) {
    throw new UnreadableConfig(1, 'the line "export const site = {" is missing.');
  }
  const lineOf = (path: readonly PropertyKey[]) => lineAt(text, nodeAt(value, path).start);
  const { code } = await transformWithOxc(text, fileName);
  try {
    const module = await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
    );
    return { site: module.site, lineOf, comments: commentsOf(value, { text, comments }) };
  } catch (error) {
    throw runtimeErrorOf(text, error);
  }
}

/** The comments above the fields of the group that a file exports by this name, by their paths. The file is not run. */
export function commentsIn(text: string, name: string): Record<string, string> {
  const { program, comments } = parseSync(fileName, text);
  const value = exportedValue(program, name);
  return value ? commentsOf(value, { text, comments }) : {};
}

interface ParseError {
  message: string;
  /** Index where parsing stopped. */
  at: number;
}

/** Describes the most likely cause of a syntax error. */
function syntaxErrorOf(text: string, { message, at }: ParseError): UnreadableConfig {
  const before = text.slice(0, at);
  const line = lineAt(text, at);
  if (/unterminated string/i.test(message)) {
    return new UnreadableConfig(line, "a text is not closed: the quote ' at its end is missing.");
  }
  if (/[‘’“”]/.test(text[at] ?? '')) {
    return new UnreadableConfig(
      line,
      "the quotes around a text are curly. Please write straight ones: '…'.",
    );
  }
  const isWord = /^[\p{L}\p{N}]/u.test(text.slice(at));
  if (isWord && /[\p{L}\p{N}]['"]$/u.test(before)) {
    return new UnreadableConfig(
      line,
      'a quote inside a text ends the text. Please write ’ there, like in "I’m".',
    );
  }
  const opened = unclosedBracket(text);
  if (opened !== undefined) {
    return new UnreadableConfig(
      lineAt(text, opened),
      `the bracket ${text[opened]} in this line is not closed. Reading stopped in line ${line}.`,
    );
  }
  if (isWord && /[\p{L}\p{N}][ \t]+$/u.test(before)) {
    return new UnreadableConfig(line, "a text stands without quotes. Please write '…' around it.");
  }
  const end = before.trimEnd().length;
  if (/^Expected `,`/.test(message) && /^[\p{L}\p{N}'"{[]/u.test(text.slice(at))) {
    return new UnreadableConfig(
      lineAt(text, end - 1),
      'a comma is missing at the end of this line.',
    );
  }
  return new UnreadableConfig(
    line,
    'something is missing or too much here or just before: a quote, a comma or a bracket.',
  );
}

/** Comments and texts, in which brackets mean nothing, and brackets. */
const tokens =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[[\]{}]/g;

/**
 * Returns the index of a bracket that is not closed: the next closing one is of the other kind, or begins a line
 * that is indented less. A parser notices it only later, mostly at the end of the file.
 */
function unclosedBracket(text: string): number | undefined {
  const open: number[] = [];
  const startOfLine = (index: number) => text.slice(text.lastIndexOf('\n', index) + 1, index);
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '[' || token === '{') open.push(index);
    if (token !== ']' && token !== '}') continue;
    const opening = open.pop();
    if (opening === undefined) return undefined;
    if (token !== (text[opening] === '[' ? ']' : '}')) return opening;
    const indent = startOfLine(index);
    if (indent.trim() === '' && startOfLine(opening).startsWith(`${indent} `)) return opening;
  }
  return open.at(-1);
}

/** Describes why the file parses but does not run: mostly a word without quotes. */
function runtimeErrorOf(text: string, error: unknown): UnreadableConfig {
  const message = error instanceof Error ? error.message : String(error);
  const [, name] = /^(\S+) is not defined$/.exec(message) ?? [];
  if (name) {
    const at = text.search(new RegExp(`[:[,]\\s*${name.replaceAll('$', '\\$')}\\b`));
    return new UnreadableConfig(
      lineAt(text, text.indexOf(name, Math.max(at, 0))),
      `${name} stands without quotes. Please write '${name}'.`,
    );
  }
  return new UnreadableConfig(1, `it cannot be read: ${message.split('\n', 1)[0]}`);
}

function exportedValue({ body }: ESTree.Program, name: string): ESTree.Expression | undefined {
  for (const statement of body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const { declaration } = statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' && id.name === name && init) return init;
    }
  }
  return undefined;
}

interface Commented {
  text: string;
  comments: ReturnType<typeof parseSync>['comments'];
}

function commentsOf(site: ESTree.Expression, { text, comments }: Commented) {
  const found: Record<string, string> = {};
  const add = (path: string, start: number) => {
    const comment = comments.findLast(({ end }) => end <= start);
    if (!comment?.value.startsWith('*') || text.slice(comment.end, start).trim() !== '') return;
    found[path] = comment.value.replace(/^[ \t]*\* ?/gm, '').trim();
  };
  const addFields = (group: ESTree.Expression, path: string) => {
    if (group.type !== 'ObjectExpression') return;
    for (const property of group.properties) {
      if (property.type !== 'Property') continue;
      const field = [path, nameOf(property.key)].filter(Boolean).join('.');
      add(field, property.start);
      addFields(property.value, field);
    }
  };
  add('', text.lastIndexOf('export', site.start));
  addFields(site, '');
  return found;
}

type Node = { type: string; start: number };

/** Returns the node of the field at `path`, or of its nearest existing parent. */
function nodeAt(root: ESTree.Expression, path: readonly PropertyKey[]): Node {
  let node: Node = root;
  let value: ESTree.Expression | undefined = root;
  for (const key of path) {
    const child: Child | undefined = value && childOf(value, key);
    if (!child) break;
    node = child.node;
    value = child.value;
  }
  return node;
}

interface Child {
  node: Node;
  value: ESTree.Expression | undefined;
}

function childOf(value: ESTree.Expression, key: PropertyKey): Child | undefined {
  if (value.type === 'ArrayExpression') {
    const element = value.elements[Number(key)];
    if (!element || element.type === 'SpreadElement') return undefined;
    return { node: element, value: element };
  }
  if (value.type !== 'ObjectExpression') return undefined;
  for (const property of value.properties) {
    if (property.type === 'Property' && nameOf(property.key) === key) {
      return { node: property, value: property.value };
    }
  }
  return undefined;
}

const nameOf = (key: ESTree.PropertyKey) => {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
};

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length;

/**
 * A browser that translates a page replaces each text by elements. React then throws when it removes the original
 * text, and its updates change a text that has left the page. Where a text is alone in its element, React changes
 * the element.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { expect, it } from 'vitest';

/** What is rendered to HTML only: React changes nothing there. */
const isStatic = (path: string) =>
  /^(landing|prerender|seo|booking|testing)\/|^(contact\/answer-pages|ui\/template)|\.test\./.test(
    path,
  );

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.tsx') && !isStatic(path),
);

interface Node {
  type: string;
  start: number;
  [property: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const descendantsOf = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(descendantsOf)];

/** Whether a JSX child is nothing but white space or a comment. */
function isBlank(child: Node): boolean {
  const { type, value } = isNode(child.expression) ? child.expression : child;
  return type === 'JSXEmptyExpression' || (typeof value === 'string' && value.trim() === '');
}

/** Whether an expression is a text by its syntax. */
function isText(expression: Node): boolean {
  const branches = ['left', 'right', 'consequent', 'alternate'].flatMap((name) => {
    const branch = expression[name];
    return isNode(branch) && !(name === 'left' && expression.operator === '&&') ? [branch] : [];
  });
  const isLiteral = expression.type === 'Literal' && typeof expression.value === 'string';
  return expression.type === 'TemplateLiteral' || isLiteral || branches.some(isText);
}

/** The lines of elements in which a text stands beside something that can change, or changes beside others. */
function linesIn(code: string): number[] {
  const program = parseAst(code, { lang: 'tsx' }) as unknown as Node;
  return descendantsOf(program)
    .filter(({ type }) => type === 'JSXElement' || type === 'JSXFragment')
    .filter(({ children }) => {
      const all = (children as Node[]).filter((child) => !isBlank(child));
      const expressions = all.flatMap(({ expression }) => (isNode(expression) ? [expression] : []));
      const hasText = all.some(({ type }) => type === 'JSXText');
      return all.length > 1 && ((hasText && expressions.length > 0) || expressions.some(isText));
    })
    .map(({ start }) => code.slice(0, start).split('\n').length);
}

it('a text that React changes or removes is alone in its element, so that it can be translated', () => {
  expect(sources.length).toBeGreaterThan(50);
  const found = sources.flatMap((path) =>
    linesIn(readFileSync(`src/${path}`, 'utf8')).map((line) => `src/${path}:${line}`),
  );
  expect(found).toEqual([]);
});

it.each([
  ['<p>Data from last {days} days</p>', [1]],
  ["<p>{isOld && ', old'}<b>now</b></p>", [1]],
  ['<p>Last updated {isOld && <b>long ago</b>}</p>', [1]],
  ['<p>{periodOf(days)}</p>', []],
  ['<p><span>Last updated </span>{isOld && <b>long ago</b>}</p>', []],
  ['<p>Set <code>PORT</code> in the file .env.</p>', []],
])('%s has these lines with a text beside an expression: %j', (code, lines) => {
  expect(linesIn(code)).toEqual(lines);
});

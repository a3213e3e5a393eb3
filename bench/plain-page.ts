/**
 * The baseline for Lighthouse: the same text and pictures as plain HTML with a small stylesheet and
 * the same fonts, without scripts, from the same server.
 */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const style = `body{margin:0;font:1.0625rem/1.6 "Hanken Grotesk","Hanken Stand-in",sans-serif;color:#0e1b2a;background:#f7f9f8}
h1,h2,h3,blockquote{font-family:"Bricolage Grotesque","Bricolage Stand-in",sans-serif;line-height:1.05}
h1{font-size:clamp(2.75rem,1rem + 6vw,5.5rem)}h2{font-size:clamp(2rem,1.25rem + 3vw,3.5rem)}
header,section,footer{padding:2rem clamp(1.25rem,4vw,2.5rem)}svg{max-width:100%;height:auto}[popover],dialog{display:none}a{color:inherit}`;

/** The landing page without its styles, scripts, classes and templates. */
function plainPage(html: string): string {
  const faces = html.match(/@font-face\{[^}]*\}/g)?.join('') ?? '';
  return html
    .replace(/<style>[\s\S]*?<\/style>/, `<style>${faces}${style}</style>`)
    .replace(/<script\b[\s\S]*?<\/script>/g, '')
    .replace(/<template\b[\s\S]*?<\/template>/g, '')
    .replace(/<noscript>[\s\S]*?<\/noscript>/g, '')
    .replace(/ (?:class|data-[\w-]+|command|commandfor|popovertarget)="[^"]*"/g, '');
}

/** Copies the build and replaces its landing page by the plain one. */
export async function plainSite(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'shingle-plain-'));
  await cp('dist', join(folder, 'dist'), { recursive: true });
  await cp('package.json', join(folder, 'package.json'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const page = join(folder, 'dist/pages/home.html');
  await writeFile(page, plainPage(await readFile(page, 'utf8')));
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

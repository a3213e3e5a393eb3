import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { site } from '../../site.config.ts';
import { withWords, wordsModule } from './site-words.ts';

describe('tree-shaken site config', () => {
  it('site config module has one export for each group', () => {
    const words = { brand: { name: 'A "B" ’' }, labels: { close: 'x' } };
    const lines = wordsModule(words).split('\n');
    expect(lines).toContain('export const brand = {"name":"A \\"B\\" ’"};');
    expect(lines).toContain('export const labels = {"close":"x"};');
    for (const group of Object.keys(site)) expect(group).toMatch(/^[a-z]\w*$/i);
  });

  it('site config module exports the groups that a file of an older release lacks', () => {
    expect(wordsModule({}).split('\n')).toEqual([
      'export const currency = undefined;',
      'export const legal = undefined;',
    ]);
  });

  it('import of site becomes a namespace import', () => {
    expect(withWords(`import { site } from '../../site.config.ts';\nsite.brand;`)).toBe(
      `import * as site from '../../site.config.ts';\nsite.brand;`,
    );
    expect(withWords(`import { site as words } from "../site.config.ts";`)).toBe(
      `import * as words from "../site.config.ts";`,
    );
    expect(withWords(`import { other } from './site.ts';`)).toBeUndefined();
  });

  it('built browser files contain only config text that they use', () => {
    const assets = 'dist/client/assets';
    const code = readdirSync(assets)
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(assets, name), 'utf8'))
      .join();
    expect(code).toContain(JSON.stringify(site.labels.close).slice(1, -1));
    expect(code).toContain(site.brand.email);
    expect(code).not.toContain(site.costs.title);
    expect(code).not.toContain(site.faq.title);
  });
});

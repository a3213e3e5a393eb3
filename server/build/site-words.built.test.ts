import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { site } from '../../site.config.ts';
import { wordsOf } from '../../src/prerender/words.ts';
import { groupsIn, groupsModule, withGroups } from './site-words.ts';

const assets = 'dist/client/assets';
const contents = (pattern: RegExp) =>
  readdirSync(assets)
    .filter((name) => pattern.test(name))
    .map((name) => readFileSync(join(assets, name), 'utf8'));

describe('texts of the owner in scripts', () => {
  it('the config becomes a module with one export for each group', () => {
    expect(groupsModule({ brand: {}, labels: {} })).toBe(
      "export { currency, legal, brand, labels } from '/words.js';",
    );
    for (const group of Object.keys(site)) expect(group).toMatch(/^[a-z]\w*$/i);
  });

  it('import of site becomes a namespace import', () => {
    expect(withGroups(`import { site } from '../../site.config.ts';\nsite.brand;`)).toBe(
      `import * as site from '../../site.config.ts';\nsite.brand;`,
    );
    expect(withGroups(`import { site as words } from "../site.config.ts";`)).toBe(
      `import * as words from "../site.config.ts";`,
    );
    expect(withGroups(`import { other } from './site.ts';`)).toBeUndefined();
  });

  it('no script of the build has a text of the owner', () => {
    const scripts = contents(/^(?!words-).*\.js$/).join();
    expect(scripts.length).toBeGreaterThan(100_000);
    const texts = [site.brand.name, site.brand.email, site.contactPages.sent];
    expect(texts.filter((text) => scripts.includes(text))).toEqual([]);
  });

  it('the texts for scripts are those of the groups that scripts use', async () => {
    const groups = groupsIn(assets);
    expect(contents(/^words-.*\.js$/)).toEqual([wordsOf(site, groups).text]);
    expect(groups).toContain('contactPages');
    expect(groups).not.toContain('faq');
    expect(groups).not.toContain('testimonials');
  });

  it('the texts are a module, whatever characters they have', async () => {
    const brand = { name: '</script>\u2028"`' };
    const { text } = wordsOf({ brand }, ['brand', 'legal']);
    const module = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    expect({ ...module }).toEqual({ brand, legal: undefined });
  });
});

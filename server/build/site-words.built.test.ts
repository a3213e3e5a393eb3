import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { site } from '../../site.config.ts';
import { wordsOf } from '../../src/prerender/words.ts';
import { en } from '../contract/words/en.ts';
import { groupsIn, groupsModule, withGroups } from './site-words.ts';

const assets = 'dist/client/assets';
const contents = (pattern: RegExp) =>
  readdirSync(assets)
    .filter((name) => pattern.test(name))
    .map((name) => readFileSync(join(assets, name), 'utf8'));

describe('texts of the owner in scripts', () => {
  it('the config becomes a module with one export for each group', () => {
    const groups = ['currency', 'language', ...Object.keys(en), 'brand'];
    expect(groupsModule({ brand: {}, labels: {} })).toBe(
      `export { ${groups.join(', ')} } from '/words.js';`,
    );
    for (const group of Object.keys({ ...site, ...en })) expect(group).toMatch(/^[a-z]\w*$/i);
  });

  it('import of site or words becomes a namespace import', () => {
    expect(withGroups(`import { site } from '../../site.config.ts';\nsite.brand;`)).toBe(
      `import * as site from '../../site.config.ts';\nsite.brand;`,
    );
    expect(withGroups(`import { site as words } from "../site.config.ts";`)).toBe(
      `import * as words from "../site.config.ts";`,
    );
    expect(withGroups(`import { words } from '../ui/site-words.ts';`)).toBe(
      `import * as words from '../ui/site-words.ts';`,
    );
    expect(withGroups(`import { other } from './site.ts';`)).toBeUndefined();
  });

  it('no script of the build has a text of the owner', () => {
    const scripts = contents(/^(?!words-).*\.js$/).join();
    expect(scripts.length).toBeGreaterThan(100_000);
    const texts = [site.brand.name, site.brand.email, en.contactPages.sent];
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
    const { text } = wordsOf({ brand, labels: { menu: 'Plan' } }, ['brand', 'labels', 'currency']);
    const module = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    expect({ ...module }).toEqual({
      ...{ brand, currency: undefined },
      labels: { ...en.labels, menu: 'Plan' },
    });
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withNativeSpread } from './native-spread.ts';

const library = 'node_modules/@trpc/server/dist';

describe('native spread', () => {
  it('native spread finds the helper in the installed tRPC', () => {
    const changed = readdirSync(library)
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => readFileSync(join(library, name), 'utf8'))
      .filter((code) => code.includes('function _objectSpread2('))
      .map(withNativeSpread);
    expect(changed).toHaveLength(1);
    expect(changed[0]).not.toContain('getOwnPropertyDescriptors');
  });

  it('native spread is in the built server', () => {
    const assets = 'dist/server/assets';
    const code = readdirSync(assets).map((name) => readFileSync(join(assets, name), 'utf8'));
    expect(code.join().match(/function _objectSpread2\(.*\)/g)).toEqual([
      'function _objectSpread2(e, ...sources)',
    ]);
  });

  it('native spread does not change other modules', () => {
    expect(withNativeSpread('export const a = { ...b };')).toBeUndefined();
  });
});

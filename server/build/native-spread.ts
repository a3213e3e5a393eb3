/**
 * Replaces the compiled object spread in tRPC by the native one.
 *
 * The library ships `{ ...a, ...b }` compiled for old browsers, as a helper that defines each property by
 * its descriptor. Every step of every procedure calls it four times, which took 25 µs of the 36 µs of a
 * call; Node has had native spread since version 8.
 */
import type { Plugin } from 'vite';

const helper = /function _objectSpread2\(e\) \{\n[\s\S]*?\n\}/;

const native = `function _objectSpread2(e, ...sources) {
	return Object.assign(e, ...sources);
}`;

/** Returns the module with a native spread helper, or undefined when it has none. */
export function withNativeSpread(code: string): string | undefined {
  return helper.test(code) ? code.replace(helper, native) : undefined;
}

/** Applies native spread to tRPC in the server build. */
export function nativeSpread(): Plugin {
  return {
    name: 'native-spread',
    applyToEnvironment: ({ name }) => name === 'server',
    transform: {
      filter: { id: /@trpc\/server\/dist\/.*\.mjs$/, code: /function _objectSpread2\(/ },
      handler(code) {
        const changed = withNativeSpread(code);
        if (!changed) this.warn('tRPC’s spread helper has changed: calls will be slower.');
        return changed && { code: changed, map: null };
      },
    },
  };
}

/** For tests: the config of the sample file, with all words of its language. */
import { withWords } from '../contract/words/words.ts';
import { site as file } from './sample-file.ts';

export const site = withWords(file);

type Config = typeof site;

/** The sample with some fields changed. */
export function sampleWith(changes: { [Name in keyof Config]?: Partial<Config[Name]> }): Config {
  const merged: Record<string, unknown> = { ...site };
  for (const [name, change] of Object.entries(changes)) {
    const sample = merged[name];
    merged[name] = typeof change === 'object' ? { ...Object(sample), ...change } : change;
  }
  return merged as Config;
}

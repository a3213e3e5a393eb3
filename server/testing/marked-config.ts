import { fieldsIn, withoutWords } from '../content/document.ts';
import { marked, markedLanguage } from './marked-language.ts';

/** For tests: the config in the marked language, in which the owner's texts are marked, too. */
export function markedConfig<Config extends object>(config: Config): Config {
  const copy: unknown = structuredClone(withoutWords(config as Record<string, unknown>));
  const mark = (group: unknown, [key = '', ...rest]: string[]) => {
    const values = group as Record<string, unknown>;
    if (rest.length > 0) mark(values[key], rest);
    else if (values[key] !== '') values[key] = marked(String(values[key]));
  };
  for (const path of fieldsIn(copy, 'text')) mark(copy, path.split('.'));
  return { ...(copy as Config), language: markedLanguage };
}

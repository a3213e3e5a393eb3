import type { ReactNode } from 'react';

/** The names of the template variables, also those of the entries of its lists. */
type NameIn<Variables> = Variables extends unknown
  ? {
      [Name in keyof Variables & string]:
        | Name
        | (Variables[Name] extends readonly (infer Entry)[] ? NameIn<Entry> : never);
    }[keyof Variables & string]
  : never;

interface SectionProps<Variables> {
  name: NameIn<Variables>;
  children: ReactNode;
}

/**
 * Creates the parts of a template with these variables, which the server fills in when it sends the page
 * (`server/http/pages/template.ts`). Another name does not compile.
 *
 * @example
 * const { If, value } = templateOf<BookVariables>();
 * <If name="error">{value('error')}</If>
 */
export const templateOf = <Variables,>() => ({
  /** The value of a variable, escaped. */
  value: (name: NameIn<Variables>) => `{{${name}}}`,
  /** `text` only where the variable has a value. */
  textIf: (name: NameIn<Variables>, text: string) => `{{#${name}}}${text}{{/${name}}}`,
  /** `children` only where the variable has a value; a list repeats them. */
  If: ({ name, children }: SectionProps<Variables>) => (
    <>
      {`{{#${name}}}`}
      {children}
      {`{{/${name}}}`}
    </>
  ),
  /** `children` only where the variable has no value. */
  Unless: ({ name, children }: SectionProps<Variables>) => (
    <>
      {`{{^${name}}}`}
      {children}
      {`{{/${name}}}`}
    </>
  ),
});

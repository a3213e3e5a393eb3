/**
 * The fields of the contact form, in the order of the form. What stores, sends or shows a message loops over them,
 * so that none can be forgotten.
 */

interface ContactField {
  required?: true;
  type?: 'email' | 'tel' | 'url';
  autoComplete?: string;
  /** Height in lines. Optional fields have one line: they are shown beside the name. */
  rows?: number;
  /** What a sentence calls it after "your". Default: its name. */
  noun?: string;
}

const contactFields = {
  name: { required: true, autoComplete: 'name' },
  email: { required: true, type: 'email', autoComplete: 'email', noun: 'email address' },
  company: { autoComplete: 'organization' },
  message: { required: true, rows: 5 },
} as const satisfies Record<string, ContactField>;

export type FieldName = keyof typeof contactFields;
type RequiredName = {
  [Name in FieldName]: (typeof contactFields)[Name] extends { required: true } ? Name : never;
}[FieldName];
type OptionalName = Exclude<FieldName, RequiredName>;

/** A value for each field, of one type for the required ones and of another for the optional ones. */
type EachField<Required, Optional> = Record<RequiredName, Required> &
  Record<OptionalName, Optional>;

/** What a visitor fills in; null for an empty optional field. */
export type FormFields = EachField<string, string | null>;

export const fieldNames = Object.keys(contactFields) as FieldName[];
const isOptional = (name: FieldName): name is OptionalName => !('required' in contactFields[name]);
export const requiredNames = fieldNames.filter((name) => !isOptional(name));
export const optionalNames = fieldNames.filter(isOptional);

export const fieldOf = (name: FieldName): ContactField => contactFields[name];
export const nounOf = (name: FieldName): string => fieldOf(name).noun ?? name;

/** Makes a value for each field from its name. */
export function eachField<Required, Optional>(
  ofRequired: (name: RequiredName) => Required,
  ofOptional: (name: OptionalName) => Optional,
): EachField<Required, Optional> {
  const values = fieldNames.map((name) => [
    name,
    isOptional(name) ? ofOptional(name) : ofRequired(name),
  ]);
  return Object.fromEntries(values);
}

/** The same value for each required field, and the same for each optional one. */
export const fieldsWith = <Required, Optional>(required: Required, optional: Optional) =>
  eachField(
    () => required,
    () => optional,
  );

/** A form without any text. */
export const emptyFields: FormFields = fieldsWith('', null);

/** The texts of the optional fields that are filled in. */
export const optionalTexts = (fields: Partial<Record<OptionalName, string | null>>): string[] =>
  optionalNames.flatMap((name) => fields[name] || []);

/** The fields of the document by path, as the server lists them. */
import type { Outputs } from '../../server/contract/api.ts';
import type { Shape } from '../../server/contract/document-changes.ts';

export type Field = Outputs['site']['fields']['fields'][number];

/** The path of a field for any entry of its list: `faq.items.*.question`. */
const patternOf = (path: string) => path.replace(/\.\d+(?=\.|$)/g, '.*');

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('.')));

export type Fields = ReturnType<typeof indexFields>;

export function indexFields(rows: readonly Field[]) {
  const byPath = new Map(rows.map((row) => [row.path, row]));
  const at = (path: string) => byPath.get(patternOf(path));
  const shape: Shape<string> = {
    root: '',
    at: (place, key) => (place === '' ? key : `${place}.${key}`),
    kind: (place) => {
      const kind = place === '' ? 'group' : at(place)?.kind;
      return kind === 'group' || kind === 'list' ? kind : 'value';
    },
  };
  /** The fields of a group, or with '' those of the document. Paths keep the indexes of `path`. */
  const partsOf = (path: string) =>
    rows
      .filter((row) => parentOf(row.path) === patternOf(path) && !row.path.endsWith('*'))
      .map((row) => ({
        field: row,
        path: `${path}${path && '.'}${row.path.slice(parentOf(row.path).length).replace('.', '')}`,
      }))
      // An id is for links alone.
      .sort((a, b) => Number(a.field.kind === 'id') - Number(b.field.kind === 'id'));

  /** The labels of what is beneath a section, such as `Question 4, answer`. */
  const labelBeneath = (path: string): string => {
    const keys = path.split('.');
    const labels = keys.flatMap((key, i) => {
      if (i === 0) return [];
      const own = keys.slice(0, i + 1).join('.');
      const label = at(own)?.label;
      const isBeforeEntry = /^\d+$/.test(keys[i + 1] ?? '');
      if (!label || isBeforeEntry) return [];
      return [/^\d+$/.test(key) ? `${label} ${Number(key) + 1}` : label];
    });
    return labels.map((label, i) => (i === 0 ? label : lowerFirst(label))).join(', ');
  };
  return {
    at,
    shape,
    partsOf,
    /** A new entry of a list, for the place `index`. `others` are the entries that it has. */
    newEntry: (list: string, others: readonly unknown[]) => emptyValue(`${list}.*`, others),
    labelBeneath,
  };

  function emptyValue(path: string, others: readonly unknown[]): unknown {
    const field = byPath.get(path);
    switch (field?.kind) {
      case 'group':
        return Object.fromEntries(
          partsOf(path).map((part) => [
            part.path.slice(path.length + 1),
            emptyValue(part.field.path, others),
          ]),
        );
      case 'list':
      case 'hours':
        return [];
      case 'number':
        return field.least ?? 0;
      case 'id':
        return freeId(others);
      default:
        return '';
    }
  }
}

/** An id that no entry of the list has. */
function freeId(others: readonly unknown[]): string {
  const taken = others.map((entry) => (entry as { id?: string }).id);
  let n = others.length + 1;
  while (taken.includes(String(n))) n++;
  return String(n);
}

/** Names stay as they are, also `VAT ID`. */
const lowerFirst = (label: string) =>
  /^[A-Z][^A-Z]/.test(label) && !/^\w+day$|^LinkedIn|^Instagram/.test(label)
    ? label.charAt(0).toLowerCase() + label.slice(1)
    : label;

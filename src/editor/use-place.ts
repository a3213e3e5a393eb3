/** Where the owner works: the section of the form, the chosen field, and the page and the part of the screen that show it. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isWithin } from '../../server/contract/document-changes.ts';
import { controlId } from './context.ts';
import type { Fields } from './fields.ts';
import { otherSections, type Page, pageOf, pageSections, type Section } from './sections.ts';
import type { Pane } from './switches.tsx';

export function usePlace(fields: Fields) {
  const [params, setParams] = useSearchParams();
  const sections = useMemo(() => [...pageSections, ...otherSections(fields)], [fields]);
  const [selected, setSelected] = useState<string>();
  const [pane, setPane] = useState<Pane>(params.has('field') ? 'edit' : 'sections');
  /** The field that takes the focus: an object, since the same one may be opened again. */
  const [opened, setOpened] = useState<{ path: string }>();
  const sectionOf = useCallback(
    (path: string) => sections.find(({ paths }) => isWithin(path, paths)),
    [sections],
  );
  const section =
    sections.find(({ id }) => id === params.get('section')) ??
    sectionOf(params.get('field') ?? 'hero');

  const [page, setPage] = useState<Page>(() => pageOf(section?.paths[0] ?? ''));

  const select = useCallback((path: string) => {
    setSelected(path);
    setPage((current) => pageFor(path, current));
  }, []);
  /** Shows the section of a path in the form, and the path in the preview. */
  const show = useCallback(
    (path: string): Section | undefined => {
      const found = sectionOf(path);
      if (!found) return undefined;
      setParams({ section: found.id }, { replace: true });
      select(path);
      return found;
    },
    [sectionOf, setParams, select],
  );
  const open = useCallback(
    (path: string) => {
      if (!show(path)) return;
      setPane('edit');
      setOpened({ path });
    },
    [show],
  );
  // In an effect, since its section and its entry are open only after the next rendering.
  useEffect(() => {
    if (opened) focusField(opened.path);
  }, [opened]);
  // The address names a field: of a step before going live, for example.
  const wanted = useRef(params.get('field'));
  useEffect(() => {
    if (wanted.current !== null) open(wanted.current);
    wanted.current = null;
  }, [open]);
  return { sections, section, selected, select, show, open, page, setPage, pane, setPane };
}

/** The page in the preview for a field: the present one, when it may show it as well. */
const pageFor = (path: string, current: Page): Page => {
  const isCall = /^(calls|bookingPages)\b/.test(path);
  return isCall && current.startsWith('book') ? current : pageOf(path);
};

/** Moves the focus to the control of a field, or of the nearest group around it. */
function focusField(path: string): void {
  const keys = path.split('.');
  for (let length = keys.length; length > 0; length--) {
    const control = document.getElementById(controlId(keys.slice(0, length).join('.')));
    if (!control) continue;
    control.focus();
    control.scrollIntoView({ block: 'center' });
    return;
  }
}

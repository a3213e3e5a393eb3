/** What the editor does within the page of the preview, in which `data-field` names the field of each text. */

const overlayId = 'editor-outline';

/**
 * The sandbox of the page: its scripts stay off, which its content policy asks for, too. WebKit would then ignore the
 * editor's listeners as well (bugs.webkit.org, 218086), and has to rely on the policy.
 */
export function sandbox(): string {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-same-origin');
  document.body.append(frame);
  let isHeard = false;
  frame.contentDocument?.addEventListener('click', () => {
    isHeard = true;
  });
  frame.contentDocument?.dispatchEvent(new Event('click'));
  frame.remove();
  return isHeard ? 'allow-same-origin' : 'allow-same-origin allow-scripts';
}

/** The first element of a field, or of what is beneath it. */
function elementOf(page: Document, path: string): HTMLElement | null {
  const exact = page.querySelector<HTMLElement>(`[data-field="${CSS.escape(path)}"]`);
  return exact ?? page.querySelector<HTMLElement>(`[data-field^="${CSS.escape(path)}."]`);
}

/** Makes a click choose the field of what is clicked. Links and buttons do nothing, and Tab passes the page. */
export function dressPage(
  page: Document,
  {
    labelOf,
    onPick,
    onLeave,
  }: {
    labelOf: (path: string) => string | undefined;
    onPick: (path: string) => void;
    onLeave: () => void;
  },
): void {
  const style = page.createElement('style');
  style.textContent = css;
  page.head.append(style);
  for (const control of page.querySelectorAll<HTMLElement>(
    'a, button, input, select, textarea, summary',
  )) {
    control.tabIndex = -1;
  }
  const pathOf = ({ target }: Event) =>
    (target as Element).closest<HTMLElement>('[data-field]')?.dataset.field;
  page.addEventListener(
    'click',
    (event) => {
      if (!(event.target as Element).closest('summary')) event.preventDefault();
      const path = pathOf(event);
      if (path !== undefined) onPick(path);
    },
    true,
  );
  page.addEventListener('submit', (event) => event.preventDefault(), true);
  page.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') onLeave();
  });
  page.addEventListener('mouseover', (event) => {
    const path = pathOf(event);
    const element = path === undefined ? null : elementOf(page, path);
    if (element && path !== undefined) element.title = labelOf(path) ?? '';
  });
}

/** Shows another text in place of a field's, in the elements that show it as it is. */
export function replaceText(page: Document, path: string, text: string): void {
  for (const element of page.querySelectorAll(`[data-field="${CSS.escape(path)}"]`)) {
    // A picture or a link may carry the field of its alternative text.
    const isText = element.childElementCount === 0 && element.textContent !== '';
    const isInLines = [...element.children].every((child) => child.tagName === 'SPAN');
    if (isText || (isInLines && element.textContent !== '')) element.textContent = text;
  }
}

/** Scrolls to a field, and opens what hides it. */
export function showField(page: Document, path: string): void {
  const element = elementOf(page, path);
  for (const dialog of page.querySelectorAll('dialog[open]')) dialog.removeAttribute('open');
  if (!element) return;
  element.closest('details')?.setAttribute('open', '');
  element.closest('dialog')?.setAttribute('open', '');
  const { top, bottom } = element.getBoundingClientRect();
  const height = page.defaultView?.innerHeight ?? 0;
  if (top < 120 || bottom > height) element.scrollIntoView({ block: 'center' });
}

/** Draws a frame with the name around the element of a field; removes it where there is none. */
export function outline(page: Document, path: string | undefined, label = ''): void {
  page.getElementById(overlayId)?.remove();
  const element = path === undefined ? null : elementOf(page, path);
  if (!element || element.getClientRects().length === 0) return;
  const { top, left, width, height } = element.getBoundingClientRect();
  const { scrollX = 0, scrollY = 0 } = page.defaultView ?? {};
  const box = page.createElement('div');
  box.id = overlayId;
  box.dataset.label = label;
  Object.assign(box.style, {
    top: `${top + scrollY - 6}px`,
    left: `${left + scrollX - 6}px`,
    width: `${width + 12}px`,
    height: `${height + 12}px`,
  });
  // Within the dialog that it may be in, whose backdrop covers the page.
  (element.closest('dialog') ?? page.body).append(box);
}

const css = `
html{scrollbar-gutter:auto!important;scrollbar-width:thin}
*,::before,::after{animation:none!important;transition:none!important}
[data-field]{cursor:pointer}
[data-field]:hover{outline:2px dashed var(--c-colors-line-blue);outline-offset:3px}
#${overlayId}{position:absolute;z-index:99;pointer-events:none;box-sizing:border-box;border:3px solid var(--c-colors-line-blue)}
#${overlayId}::before{content:attr(data-label);position:absolute;left:-3px;bottom:100%;padding:1px 8px;font-size:.875rem;font-weight:700;white-space:nowrap;background:var(--c-colors-line-blue);color:var(--c-colors-bg)}
#${overlayId}::after{content:"";position:absolute;right:-11px;top:calc(50% - 9px);box-sizing:border-box;width:18px;height:18px;border:4px solid var(--c-colors-fg);border-radius:50%;background:var(--c-colors-bg)}
`;

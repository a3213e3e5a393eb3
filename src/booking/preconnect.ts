/** Events that show intent to use a control. */
const intentEvents = ['pointerover', 'touchstart', 'focusin'] as const;

/**
 * Preconnects to a calendar's server when a visitor points at, touches or focuses a button that opens
 * it. No request is sent before the dialog opens. Does nothing if the browser's data saver is on.
 */
export function preconnectOnIntent(): void {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  const connected = new Set<string>();
  const connectFor = (control: Element | null) => {
    const id = control?.getAttribute('commandfor') ?? '';
    const template = document
      .getElementById(id)
      ?.querySelector<HTMLTemplateElement>('template[data-on-open]');
    const src = template?.content.querySelector('iframe')?.getAttribute('src');
    // The site's own calendar has a path.
    if (!src || !URL.canParse(src)) return;
    const { origin } = new URL(src);
    if (connected.has(origin)) return;
    connected.add(origin);
    const link = document.createElement('link');
    document.head.append(Object.assign(link, { rel: 'preconnect', href: origin }));
  };
  const onIntent = ({ target }: Event) => {
    // The target can be the document, which is not an element.
    if (target instanceof Element) connectFor(target.closest('[commandfor]'));
  };
  for (const type of intentEvents) addEventListener(type, onIntent, { passive: true });
  // The event that made the browser fetch this code may have been on such a button.
  connectFor(document.querySelector('[commandfor]:is(:hover, :focus)'));
}

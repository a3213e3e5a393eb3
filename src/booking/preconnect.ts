/** Events that tell of somebody who reaches for a control. */
const reaching = ['pointerover', 'touchstart', 'focusin'] as const;

/**
 * Opens the connection to a calendar's server once a visitor reaches for a button that shows it.
 * Nothing is asked there before the dialog opens; nothing at all is done for who saves data.
 */
export function preconnectOnIntent(): void {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  const connected = new Set<string>();
  const connectFor = (control: Element | null) => {
    const id = control?.getAttribute('commandfor') ?? '';
    const template = document
      .getElementById(id)
      ?.querySelector<HTMLTemplateElement>('template[data-on-open]');
    const address = template?.content.querySelector('iframe')?.getAttribute('src');
    if (!address) return;
    const { origin } = new URL(address);
    if (connected.has(origin)) return;
    connected.add(origin);
    const link = document.createElement('link');
    document.head.append(Object.assign(link, { rel: 'preconnect', href: origin }));
  };
  const reach = ({ target }: Event) => {
    // The document itself can be a target too.
    if (target instanceof Element) connectFor(target.closest('[commandfor]'));
  };
  for (const type of reaching) addEventListener(type, reach, { passive: true });
  // The move that fetched this code may have been the one.
  connectFor(document.querySelector('[commandfor]:is(:hover, :focus)'));
}

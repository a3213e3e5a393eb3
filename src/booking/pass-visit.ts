/**
 * Passes the visit on to a calendar elsewhere whose webhook counts the calls: source, campaign and button, as
 * query parameters of the elements with `data-webhook`, its frame and its link. With Global Privacy Control
 * nothing is passed on.
 */
import {
  clickIds,
  emailName,
  hasEmailAddress,
  referralParameter,
} from '../../server/contract/referral.ts';

const parameters = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content'] as const;

type Visit = { [Parameter in (typeof parameters)[number]]?: string | null | undefined };

/** Adds the visit to the calendars' addresses, and each button that is pressed before its dialog opens. */
export function passVisit(): void {
  if ((navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) return;
  const templates = document.querySelectorAll<HTMLTemplateElement>('template[data-on-open]');
  // A frame that was inserted before this code loaded gets its address again, unless it has loaded.
  const calendars = [document, ...[...templates].map(({ content }) => content)].flatMap((root) =>
    [...root.querySelectorAll('[data-webhook]:not([data-webhook=""], [data-loaded])')].map(
      (element) => {
        const attribute = element.hasAttribute('href') ? 'href' : 'src';
        return { element, attribute, address: element.getAttribute(attribute) ?? '' };
      },
    ),
  );
  const source = sourceOfVisit(calendars.map(({ address }) => address));
  const pass = () => {
    const visit = { ...source, utm_content: document.documentElement.dataset.button };
    for (const { element, attribute, address } of calendars) {
      const isCal = element.getAttribute('data-webhook') === 'cal';
      const passed = addressWith(visit, address, isCal);
      // Setting the address of a frame loads it, even if it is the same.
      if (element.getAttribute(attribute) !== passed) element.setAttribute(attribute, passed);
    }
  };
  pass();
  // Runs after the listener of `api/activity.ts`, which stores the button.
  addEventListener('click', pass, true);
}

/** The source and the campaign of this visit, like those of a booking on the site's own calendar. */
function sourceOfVisit(calendars: readonly string[]): Visit {
  const own = document.querySelector<HTMLElement>('[data-own]')?.dataset.own?.split(' ') ?? [];
  const ownHosts = [location.hostname, ...calendars.map((address) => new URL(address).hostname)];
  const from = referralParameter({ search: location.search, referrer: document.referrer }, [
    ...ownHosts.map((host) => host.replace(/^www\./, '')),
    ...own,
  ]);
  if (from === undefined) return {};
  const [referrer = '', search] = from.split('?');
  const query = new URLSearchParams(search);
  const [[name, value] = ['', '']] = query;
  const source = referrer.replace(/^.*\/\//, '') || (clickIds.get(name) ?? value);
  // An email address names a person: the rule of `server/attribution/source-name.ts`.
  const campaignPart = (parameter: string) => {
    const text = query.get(parameter);
    return text && hasEmailAddress(text) ? undefined : text;
  };
  return {
    utm_source: hasEmailAddress(source) ? emailName : source,
    utm_medium: campaignPart('utm_medium'),
    utm_campaign: campaignPart('utm_campaign'),
  };
}

/** The address with the visit. Without a source the owner's own parameters stay. */
function addressWith(visit: Visit, address: string, isCal: boolean): string {
  const url = new URL(address);
  const { search, searchParams } = url;
  for (const parameter of parameters) {
    // Cal.com's webhook has only the parameters of the booking's metadata.
    const name = isCal ? `metadata[${parameter}]` : parameter;
    const value = visit[parameter];
    if (visit.utm_source) searchParams.delete(name);
    if (value && !searchParams.has(name)) searchParams.set(name, value);
  }
  return url.search === search ? address : url.href;
}

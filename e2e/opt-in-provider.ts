/**
 * Stand-ins for the scripts of opt-in providers: how each finds its place and what it loads from another host.
 * Their forms have inline styles, and a style sheet, mostly in a `<style>` element.
 */
import { openTestCalendar } from '../server/testing/calendar.ts';

/** What each of them says in its form. */
export const optInText = 'Join the list';

const rule = '.opt-in-form { outline: 3px solid rgb(4, 5, 6) }';
const form = `<form class="opt-in-form" style="color: rgb(1, 2, 3)">${optInText}</form>`;
const styled = `<style>${rule}</style>${form}`;

const files: Record<string, readonly [type: string, text: string]> = {
  '/forms/a1b2c3': ['application/json', JSON.stringify({ html: styled })],
  '/popup.js': [
    'text/javascript',
    `const popup = document.createElement('div');
    popup.innerHTML = '${styled}';
    popup.style.cssText = 'position: fixed; inset: auto 0 0 auto';
    document.body.append(popup);`,
  ],
  '/universal.js': [
    'text/javascript',
    `const [[, account]] = ml.q;
    if (account === '123') {
      document.querySelector('.ml-embedded[data-form]').innerHTML = '${form}';
      const href = document.currentScript.src.replace('.js', '.css');
      document.head.append(
        Object.assign(document.createElement('link'), { rel: 'stylesheet', href }),
      );
    }`,
  ],
  '/universal.css': ['text/css', rule],
  '/frame': ['text/html', styled],
};

/** Starts the host that the opt-in scripts connect to. */
export async function openOptInProvider() {
  const host = await openTestCalendar();
  host.setBehaviour((res, req) => {
    const [type, text] = files[req.url ?? ''] ?? ['text/plain', ''];
    res.setHeader('Content-Type', type);
    res.setHeader('Access-Control-Allow-Origin', '*');
    // Tests send their own client address.
    res.setHeader('Access-Control-Allow-Headers', '*');
    res.writeHead(text ? 200 : 404).end(text);
  });
  return host;
}

/** The attributes of the elements in which ActiveCampaign, MailerLite and HubSpot put their forms, in one. */
export const optInPlace = {
  class: '_form_1 ml-embedded hs-form-frame',
  'data-form': 'd4e5f6',
  'data-portal-id': '7',
};

/** The script of each provider; `host` is the address of what it loads. */
export const optInScripts = (host: string) => ({
  /** Finds its tag by an attribute, fetches its form and inserts it beside the tag. */
  kit: `
    window.optedIn = (window.optedIn ?? 0) + 1;
    const tag = document.querySelector('script[data-uid]');
    fetch('${host}/forms/' + tag.dataset.uid)
      .then((response) => response.json())
      .then(({ html }) => tag.insertAdjacentHTML('afterend', html));`,

  /** Adds a further script before the first one, which opens a popup. */
  mailchimp: `
    const first = document.getElementsByTagName('script')[0];
    const next = Object.assign(document.createElement('script'), { src: '${host}/popup.js' });
    first.parentNode.insertBefore(next, first);`,

  /** Fills an element that is on the page. */
  activeCampaign: `document.querySelector('._form_1').innerHTML = '${styled}';`,

  /** Queues its calls for a further script, which fills an element that is on the page. */
  mailerLite: `
    window.ml = (...call) => (ml.q ??= []).push(call);
    document.head.append(
      Object.assign(document.createElement('script'), { src: '${host}/universal.js' }),
    );
    ml('account', '123');`,

  /** Shows its form in a frame, in an element that is on the page. */
  hubSpot: `
    const frame = Object.assign(document.createElement('iframe'), { src: '${host}/frame' });
    frame.style.cssText = 'width: 100%; border: 0';
    document.querySelector('.hs-form-frame[data-portal-id]').append(frame);`,
});

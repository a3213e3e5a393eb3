/** A stand-in for providers of opt-in forms, whose scripts load more from another host. */
import { openTestCalendar } from '../server/testing/calendar.ts';

const files: Record<string, readonly [type: string, text: string]> = {
  '/forms/a1b2c3': ['application/json', '{ "html": "<p id=opt-in-form>Join the list</p>" }'],
  '/mcjs.js': ['text/javascript', 'window.mailchimp = true;'],
  '/universal.js': ['text/javascript', 'window.mailerLite = ml.q.map((words) => [...words]);'],
  '/universal.css': ['text/css', '#opt-in-form { color: rgb(1, 2, 3) }'],
};

/** Starts the host that the opt-in script connects to. */
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

/**
 * An opt-in script that does what those of three providers do: Kit finds its tag by an attribute and fetches
 * its form, Mailchimp and MailerLite add a further script before the first one, and a stylesheet.
 */
export const optInScript = (host: string) => `
  window.optedIn = (window.optedIn ?? 0) + 1;
  const { uid } = document.querySelector('script[data-uid]').dataset;
  fetch('${host}/forms/' + uid)
    .then((response) => response.json())
    .then(({ html }) => document.body.insertAdjacentHTML('beforeend', html));
  !(function (c, h, i, m, p) {
    (m = c.createElement(h)), (p = c.getElementsByTagName(h)[0]);
    (m.async = 1), (m.src = i), p.parentNode.insertBefore(m, p);
  })(document, 'script', '${host}/mcjs.js');
  (function (w, d, e, u, f, l, n) {
    w[f] = w[f] || function () { (w[f].q = w[f].q || []).push(arguments); };
    l = d.createElement(e); l.async = 1; l.src = u;
    n = d.getElementsByTagName(e)[0]; n.parentNode.insertBefore(l, n);
  })(window, document, 'script', '${host}/universal.js', 'ml');
  ml('account', '123');
  const sheet = document.createElement('link');
  Object.assign(sheet, { rel: 'stylesheet', href: '${host}/universal.css' });
  document.head.append(sheet);
`;

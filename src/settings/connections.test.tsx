/** The panels of connections, each on a server that keeps what is set. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { rights } from '../../server/contract/stripe.ts';
import { json, renderScreen } from '../testing/screen.tsx';
import { BookingServicesPanel } from './booking-services-panel.tsx';
import { CalendarsPanel } from './calendars-panel.tsx';
import { PaymentsPanel } from './payments-panel.tsx';
import { WebhooksPanel } from './webhook-panel.tsx';

afterEach(cleanup);

type Body = Record<string, unknown> & { name?: string; value?: Record<string, string> };

/** The connections as the server lists them. */
let connections: Record<string, Record<string, unknown>>;
/** What the server answers to a value, and how the connection is listed then. */
let accept: (body: Body) => Response | Record<string, unknown>;
/** The draft of the site, what is live of it, and why the next publish is refused. */
let draft: { schedulers: Record<string, string>; links: { checkout: string } };
let live: typeof draft;
let refusal: Response | undefined;
let isReadOnly: boolean;
let links: () => Response;
let requests: { path: string; body: Body }[];

const refuse = (message: string) =>
  json({ error: 'Some fields.', code: 'VALIDATION', issues: [{ path: 'value', message }] }, 400);

const unset = { state: 'unset' };
const start = {
  schedulers: { strategyCall: '', inboxReview: '' },
  links: { checkout: 'https://buy.stripe.com/old' },
};

beforeEach(() => {
  sessionStorage.clear();
  requests = [];
  connections = Object.fromEntries(
    ['email', 'stripe', 'busyCalendars', 'webhook', 'calcom', 'calendly'].map((one) => [
      one,
      unset,
    ]),
  );
  accept = () => ({ state: 'browser', hint: 'hooks.example.com' });
  draft = structuredClone(start);
  live = structuredClone(start);
  refusal = undefined;
  isReadOnly = false;
  links = () =>
    json({ links: [{ id: 'plink_1', url: 'https://buy.stripe.com/new', name: 'Email audit' }] });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const path = String(input).split('?', 1)[0] ?? '';
    const body = init?.body ? JSON.parse(String(init.body)) : undefined;
    if (body) requests.push({ path, body });
    return respond(path, body);
  });
});

function respond(path: string, body: Body | undefined): Response {
  switch (path) {
    case '/api/connections': {
      if (!body?.name) return json({ connections: listed() });
      const answer = accept(body);
      if (answer instanceof Response) return answer;
      const { secret, told, ...connection } = answer;
      connections[body.name] = connection;
      return json({
        connection: { name: body.name, ...connection, ...(told ? { hint: told } : {}) },
        ...(secret ? { secret } : {}),
      });
    }
    case '/api/connections/clear':
      connections[String(body?.name)] = unset;
      return json({ ok: true });
    case '/api/connections/stripe/links':
      return links();
    case '/api/keys':
      return json({ keys: [] });
    case '/api/bookings':
      return json({ bookings: [], feed: '/calendar/a-token.ics' });
    case '/api/site/draft':
      if (!body)
        return json({ document: { brand: { name: 'Ada & Co' }, ...draft }, ...draftFacts() });
      for (const { path: at, to } of body.patches as { path: string; to: string }[])
        write(draft, at, to);
      return json({ revision: requests.length, mistakes: [], conflicts: [] });
    case '/api/site/publish':
      if (refusal) {
        const response = refusal;
        refusal = undefined;
        return response;
      }
      live = structuredClone(draft);
      return json({ version: 2, publishedAt: '2026-01-31T14:05:00.000Z' });
    default:
      return json({ ok: true });
  }
}

const listed = () => Object.entries(connections).map(([name, one]) => ({ name, ...one }));

function write(document: object, path: string, to: string) {
  const [group = '', key = ''] = path.split('.');
  Object.assign(Reflect.get(document, group), { [key]: to });
}

/** What differs between the draft and the live document. */
const draftFacts = () => ({
  revision: 1,
  isReadOnly,
  changes: Object.entries(draft).flatMap(([group, fields]) =>
    Object.entries(fields).flatMap(([key, to]) => {
      const from = Reflect.get(Reflect.get(live, group), key);
      return from === to ? [] : { path: `${group}.${key}`, from, to };
    }),
  ),
});

const show = (panel: ReactElement) => renderScreen(panel, { at: '/analytics/settings/any' });
const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));
const type = async (label: string, text: string) =>
  userEvent.type(await screen.findByLabelText(label), text);
const sent = (path: string) => requests.filter((one) => one.path === path).map(({ body }) => body);
const kept = () => JSON.stringify({ ...sessionStorage });
const locked = (...variables: string[]) => ({ state: 'environment', variables });

describe('payments', () => {
  const connected = {
    state: 'browser',
    hint: 'Key …4242',
    account: { name: 'Ada Ltd', hasKey: true, webhook: 'site' },
    lastEventAt: '2026-01-31T14:05:00.000Z',
    checkedAt: '2026-01-31T15:05:00.000Z',
  };

  test('payments panel opens Stripe with every right ticked, and lists them', async () => {
    show(<PaymentsPanel />);
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: /^Open Stripe/ });
    await waitFor(() => expect(new URL(link.href).searchParams.get('name')).toBe('Ada & Co'));
    const { origin, pathname, searchParams } = new URL(link.href);
    expect(origin + pathname).toBe('https://dashboard.stripe.com/apikeys/create');
    expect(searchParams.getAll('permissions[]')).toEqual(
      Object.values(rights).flatMap(({ permissions }) => permissions),
    );
    expect(screen.getByText('Webhook Endpoints: Write')).toBeDefined();
    expect(screen.getByText('Charges and Refunds: Read')).toBeDefined();
  });

  test('payments panel shows the missing right at the key, which is kept nowhere', async () => {
    const sentence = 'This key may not read Disputes. Please allow it at Stripe.';
    accept = () => refuse(sentence);
    show(<PaymentsPanel />);
    await type('Restricted key', 'rk_live_secret');
    await press('Connect');
    expect((await screen.findByRole('alert')).textContent).toBe(sentence);
    const field = screen.getByLabelText<HTMLInputElement>('Restricted key');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe('rk_live_secret');
    expect(kept()).not.toContain('secret');
  });

  test('payments panel says whose account is connected, who made the webhook, and the last event', async () => {
    accept = () => ({ ...connected, told: 'Connected to Ada Ltd' });
    show(<PaymentsPanel />);
    await type('Restricted key', ' rk_live_4242 ');
    await press('Connect');
    const status = await screen.findByText('Sales are counted from now on.');
    await waitFor(() => expect(document.activeElement).toBe(status));
    expect(sent('/api/connections')).toEqual([{ name: 'stripe', value: { key: 'rk_live_4242' } }]);
    const facts = screen.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(facts).toEqual([
      ...['Jan 31, 2026, 2:05 PM', 'Made by this site', 'Ends in 4242', 'Jan 31, 2026, 3:05 PM'],
    ]);
    expect(screen.queryByLabelText('Restricted key')).toBeNull();
  });

  test('payments panel replaces the key, gives the focus back when that is cancelled, and disconnects', async () => {
    connections.stripe = connected;
    accept = () => refuse('Stripe rejects the key.');
    show(<PaymentsPanel />);
    await press('Replace the key');
    const field = await screen.findByLabelText('Restricted key');
    expect(document.activeElement).toBe(field);
    await userEvent.type(field, 'rk_live_wrong{Enter}');
    await screen.findByRole('alert');
    await press('Cancel');
    const opener = await screen.findByRole('button', { name: 'Replace the key' });
    await waitFor(() => expect(document.activeElement).toBe(opener));
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Disconnect');
    await screen.findByText(/^Disconnect Stripe\?/);
    await press('Disconnect');
    await screen.findByText('Stripe is disconnected.');
    expect(sent('/api/connections/clear')).toEqual([{ name: 'stripe' }]);
    expect(await screen.findByLabelText('Restricted key')).toBeDefined();
  });

  test('payments panel sends the key again as typed once the password is confirmed', async () => {
    accept = () => json({ error: 'This asks for your password.', code: 'CONFIRM_PASSWORD' }, 403);
    show(<PaymentsPanel />);
    await type('Restricted key', 'rk_live_4242');
    await press('Connect');
    const dialog = within(await screen.findByRole('dialog', { name: 'Is it you?' }));
    dialog.getByText('Changing a connection asks for your password again.');
    accept = () => connected;
    await userEvent.type(dialog.getByLabelText('Password'), 'right{Enter}');
    await screen.findByText('Connected to Ada Ltd.');
    expect(sent('/api/connections')).toEqual(
      Array(2).fill({ name: 'stripe', value: { key: 'rk_live_4242' } }),
    );
  });

  test('payments panel takes the signing secret of a webhook made by hand, and shows its refusal there', async () => {
    accept = () => refuse('The signing secret of a webhook at Stripe begins with whsec_.');
    show(<PaymentsPanel />);
    const address = await screen.findByLabelText<HTMLInputElement>('Address of the endpoint');
    expect(address.value).toBe(`${location.origin}/api/webhooks/stripe`);
    const events = screen.getByLabelText<HTMLInputElement>('Events').value;
    expect(events).toMatch(/^checkout\.session\.completed, .*charge\.dispute\.funds_reinstated$/);
    await type('Signing secret', 'secret');
    await press('Use this secret');
    await screen.findByRole('alert');
    const invalid = (label: string) => screen.getByLabelText(label).getAttribute('aria-invalid');
    expect(invalid('Signing secret')).toBe('true');
    expect(invalid('Restricted key')).toBeNull();
    accept = () => ({
      state: 'browser',
      hint: 'Webhook …cret',
      account: { hasKey: false, webhook: 'owner' },
    });
    await press('Use this secret');
    await screen.findByText('Connected by its webhook only.');
    expect(screen.getByText('Made by you')).toBeDefined();
    expect(sent('/api/connections').at(-1)).toEqual({
      name: 'stripe',
      value: { webhookSecret: 'secret' },
    });
  });

  test('checkout is chosen from the Payment Links, published alone, and undone', async () => {
    connections.stripe = connected;
    show(<PaymentsPanel />);
    await screen.findByText('Buyers pay at https://buy.stripe.com/old');
    await press('Choose a Payment Link');
    await userEvent.click(await screen.findByLabelText(/^Email audit/));
    await press('Use this link');
    await screen.findByText('Buyers pay at https://buy.stripe.com/new');
    const path = 'links.checkout';
    expect(sent('/api/site/draft')).toEqual([
      {
        patches: [{ path, from: 'https://buy.stripe.com/old', to: 'https://buy.stripe.com/new' }],
      },
    ]);
    expect(sent('/api/site/publish')).toEqual([{ revision: 1, paths: [path] }]);
    const undo = await screen.findByRole('button', { name: 'Undo' });
    await waitFor(() => expect(document.activeElement).toBe(undo));
    await userEvent.click(undo);
    await screen.findByText('Buyers pay at https://buy.stripe.com/old');
    expect(live.links.checkout).toBe('https://buy.stripe.com/old');
  });

  test('checkout that cannot be published stays as it was, also in the draft', async () => {
    connections.stripe = connected;
    refusal = refuse('The address does not answer.');
    show(<PaymentsPanel />);
    await press('Choose a Payment Link');
    await userEvent.click(await screen.findByLabelText(/^Email audit/));
    await press('Use this link');
    expect((await screen.findByRole('alert')).textContent).toBe('The address does not answer.');
    expect(draft).toEqual(start);
    expect(live).toEqual(start);
  });

  test('checkout is published although another tab changes the draft at the same time', async () => {
    connections.stripe = connected;
    refusal = json({ error: 'The draft has changed.', code: 'DRAFT_CHANGED' }, 409);
    show(<PaymentsPanel />);
    await press('Choose a Payment Link');
    await userEvent.click(await screen.findByLabelText(/^Email audit/));
    await press('Use this link');
    await screen.findByText('Buyers pay at https://buy.stripe.com/new');
    expect(sent('/api/site/publish')).toHaveLength(2);
  });

  test('checkout says why the Payment Links cannot be read', async () => {
    connections.stripe = connected;
    links = () => json({ links: [], problem: 'This key may not read Payment Links.' });
    show(<PaymentsPanel />);
    await press('Choose a Payment Link');
    expect((await screen.findByRole('alert')).textContent).toMatch(/may not read Payment Links/);
    await press('Cancel');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('payments panel names the variables that set Stripe, and offers no change', async () => {
    connections.stripe = locked('STRIPE_API_KEY', 'STRIPE_WEBHOOK_SECRET');
    isReadOnly = true;
    show(<PaymentsPanel />);
    await screen.findByText(
      'Set on the server (STRIPE_API_KEY, STRIPE_WEBHOOK_SECRET). To change it here, remove it there.',
    );
    await screen.findByText(/which/);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('calendars', () => {
  const at = '2026-01-31T14:05:00.000Z';
  const google = { id: 'a', hint: 'calendar.google.com', checkedAt: at, busyTimes: 14 };
  const gone = {
    id: 'b',
    hint: 'p24-caldav.icloud.com',
    problem: 'It cannot be read. The address is gone.',
  };

  test('calendars panel lists each calendar with its busy times, or what is wrong', async () => {
    connections.busyCalendars = { state: 'browser', items: [google, gone], problem: gone.problem };
    show(<CalendarsPanel />);
    const rows = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
    expect(rows.slice(0, 2)).toEqual([
      'Google calendar.google.com14 busy times in the next seven days. Read Jan 31, 2026, 2:05 PM.Remove',
      'iCloud p24-caldav.icloud.comIt cannot be read. The address is gone.Remove',
    ]);
    expect(screen.getAllByText(gone.problem)).toHaveLength(1);
  });

  test('calendars panel adds a calendar with what was read, and keeps its address nowhere', async () => {
    accept = () => ({
      state: 'browser',
      items: [google],
      told: 'Read: 14 busy times in the next seven days',
    });
    show(<CalendarsPanel />);
    await type('Add a calendar', 'https://calendar.google.com/secret/basic.ics');
    expect(kept()).not.toContain('secret');
    await press('Try and save');
    await screen.findByText('Read: 14 busy times in the next seven days');
    expect(sent('/api/connections')).toEqual([
      { name: 'busyCalendars', value: { add: 'https://calendar.google.com/secret/basic.ics' } },
    ]);
    expect(screen.getByLabelText<HTMLInputElement>('Add a calendar').value).toBe('');
  });

  test('calendars panel shows at the field why a calendar was refused', async () => {
    accept = () => refuse('The response is no calendar.');
    show(<CalendarsPanel />);
    await type('Add a calendar', 'https://my-host.com/a.ics');
    await press('Try and save');
    expect((await screen.findByRole('alert')).textContent).toBe('The response is no calendar.');
    expect(document.activeElement).toBe(screen.getByLabelText('Add a calendar'));
  });

  test('calendars panel asks before it removes a calendar, and says when that fails', async () => {
    connections.busyCalendars = { state: 'browser', items: [google] };
    accept = () => json({ error: 'Busy.', code: 'RATE_LIMITED' }, 429);
    show(<CalendarsPanel />);
    const remove = async () => {
      await press('Remove calendar.google.com');
      await screen.findByText(/^Remove this calendar\?/);
      await press('Remove');
    };
    await remove();
    expect((await screen.findByRole('alert')).textContent).toBe('Busy.');
    expect(screen.getByLabelText('Add a calendar').getAttribute('aria-invalid')).toBeNull();
    accept = () => unset;
    await remove();
    await screen.findByText('calendar.google.com was removed.');
    expect(sent('/api/connections').at(-1)).toEqual({
      name: 'busyCalendars',
      value: { remove: 'a' },
    });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('calendars panel gives the address of the calls of this site', async () => {
    connections.busyCalendars = locked('BUSY_CALENDARS');
    show(<CalendarsPanel />);
    const field = await screen.findByLabelText<HTMLInputElement>(
      'See your calls in your own calendar',
    );
    expect(field.value).toBe(`${location.origin}/calendar/a-token.ics`);
    expect(screen.queryByLabelText('Add a calendar')).toBeNull();
    await screen.findByText(/^Set on the server \(BUSY_CALENDARS\)/);
  });
});

describe('booking services', () => {
  const strategy = () => screen.findByRole('group', { name: 'Visitors book the strategy call' });
  const choose = async (name: string) =>
    userEvent.click(within(await strategy()).getByLabelText(name));
  const publish = async () => {
    const [first] = await screen.findAllByRole('button', { name: 'Publish' });
    if (first) await userEvent.click(first);
  };
  const address = 'Address of your event there';

  test('booking services panel publishes the address of an event alone, and undoes it', async () => {
    show(<BookingServicesPanel />);
    await choose('At Calendly');
    await type(address, 'calendly.com/ada/call');
    await publish();
    await screen.findByText('Visitors book it at Calendly now.');
    expect(live.schedulers).toEqual({
      strategyCall: 'https://calendly.com/ada/call',
      inboxReview: '',
    });
    expect(sent('/api/site/publish')[0]).toMatchObject({ paths: ['schedulers.strategyCall'] });
    expect(await screen.findByRole('heading', { name: 'Count calls at Calendly' })).toBeDefined();
    await press('Undo');
    await screen.findByText('Visitors book it on this site’s calendar now.');
    expect(live).toEqual(start);
  });

  test('booking services panel takes an address of the chosen service only', async () => {
    show(<BookingServicesPanel />);
    await choose('At Cal.com');
    await type(address, 'https://calendly.com/ada/call');
    await publish();
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^This is no address at Cal\.com\./,
    );
    expect(document.activeElement).toBe(screen.getByLabelText(address));
    expect(sent('/api/site/draft')).toEqual([]);
    await choose('Elsewhere');
    await publish();
    await waitFor(() => expect(live.schedulers.strategyCall).toBe('https://calendly.com/ada/call'));
  });

  test('booking services panel keeps a half-typed address over a reload, until it is published', async () => {
    const { unmount } = show(<BookingServicesPanel />);
    await choose('At Cal.com');
    await type(address, 'https://cal.com/ada');
    unmount();
    show(<BookingServicesPanel />);
    expect((await screen.findByLabelText<HTMLInputElement>(address)).value).toBe(
      'https://cal.com/ada',
    );
    await publish();
    await screen.findByText('Visitors book it at Cal.com now.');
    expect(kept()).toBe('{}');
  });

  test('booking services panel stores the signing secret of a service, and disconnects it', async () => {
    live.schedulers.strategyCall = 'https://cal.com/ada';
    draft = structuredClone(live);
    accept = () => ({ state: 'browser', hint: '…6789' });
    show(<BookingServicesPanel />);
    const part = within(await screen.findByRole('region', { name: 'Count calls at Cal.com' }));
    const webhook = part.getByLabelText<HTMLInputElement>('Address for Cal.com');
    expect(webhook.value).toBe(`${location.origin}/api/webhooks/cal`);
    await userEvent.type(part.getByLabelText('Signing secret'), '0123456789{Enter}');
    await part.findByText('Stored. Cal.com can report calls from now on.');
    expect(kept()).not.toContain('0123456789');
    expect(sent('/api/connections')).toEqual([
      { name: 'calcom', value: { webhookSecret: '0123456789' } },
    ]);
    await userEvent.click(part.getByRole('button', { name: 'Disconnect' }));
    await userEvent.click(part.getByRole('button', { name: 'Disconnect' }));
    await part.findByText('Cal.com is disconnected.');
  });

  test('booking services panel says where calls are booked while a file pins it', async () => {
    isReadOnly = true;
    connections.calendly = locked('CALENDLY_WEBHOOK_SECRET');
    show(<BookingServicesPanel />);
    await screen.findByText('Visitors book the strategy call: On this site’s calendar');
    await screen.findByText(/^Set on the server \(CALENDLY_WEBHOOK_SECRET\)/);
    expect(screen.queryByRole('radio')).toBeNull();
  });
});

describe('webhook', () => {
  const set = { state: 'browser', hint: 'hooks.example.com' };

  test('webhook panel shows the new secret once', async () => {
    accept = () => ({ ...set, secret: 'whsec_new' });
    show(<WebhooksPanel />);
    await type('Tell this address about bookings and sales', 'https://hooks.example.com/a');
    await press('Try and save');
    const secret = await screen.findByLabelText<HTMLInputElement>('Signing secret');
    expect(secret.value).toBe('whsec_new');
    await waitFor(() => expect(document.activeElement).toBe(secret));
    expect(sent('/api/connections')).toEqual([
      { name: 'webhook', value: { url: 'https://hooks.example.com/a' } },
    ]);
    await press('Done');
    expect(screen.queryByLabelText('Signing secret')).toBeNull();
    await screen.findByText('hooks.example.com');
  });

  test('webhook panel keeps a secret that is not copied yet when the same address is saved again', async () => {
    accept = () => ({ ...set, secret: 'whsec_new' });
    show(<WebhooksPanel />);
    const label = 'Tell this address about bookings and sales';
    await type(label, 'https://hooks.example.com/a');
    await press('Try and save');
    await screen.findByLabelText('Signing secret');
    // The server keeps the secret of an address, and responds with none.
    accept = () => set;
    await press('Change the address');
    await type(label, 'https://hooks.example.com/a');
    await press('Try and save');
    await screen.findByText('It answers, and gets each event from now on.');
    expect(screen.getByLabelText<HTMLInputElement>('Signing secret').value).toBe('whsec_new');
  });

  test('webhook panel shows why an address was refused, and what waits', async () => {
    const problem = '3 events could not be delivered. Each is tried again by itself.';
    connections.webhook = { ...set, problem };
    accept = () => refuse('Nothing answers at this address. Please check it.');
    show(<WebhooksPanel />);
    expect((await screen.findByRole('alert')).textContent).toBe(problem);
    await press('Change the address');
    await type('Tell this address about bookings and sales', 'https://hooks.example.com/b');
    await press('Try and save');
    await screen.findByText('Nothing answers at this address. Please check it.');
  });

  test('webhook panel removes the webhook once the owner has confirmed it', async () => {
    connections.webhook = set;
    show(<WebhooksPanel />);
    await press('Remove');
    await screen.findByText(/^Remove the webhook\?/);
    await press('Remove');
    await screen.findByText('The webhook is removed.');
    expect(sent('/api/connections/clear')).toEqual([{ name: 'webhook' }]);
  });
});

/**
 * The privacy page. It follows from what the product stores (`docs/privacy.md`), from `site.config.ts`,
 * and from the settings of the server, which fills the `{{…}}` variables (`server/http/pages/settings-variables.ts`).
 */
import { chakra, Heading, Link, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { serviceOf } from '../../server/contract/calls.ts';
import { nounOf, optionalNames, requiredNames } from '../../server/contract/contact-fields.ts';
import type { SiteVariables } from '../../server/contract/pages.ts';
import { site } from '../../site.config.ts';
import { legal, optIn } from '../../site.defaults.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { PageLayout } from '../landing/page-layout.tsx';
import { Columns, Section, Subtitle } from '../ui/section.tsx';
import { words } from '../ui/site-words.ts';
import { templateOf } from '../ui/template.tsx';
import { EmailLink, Facts, NameAndAddress } from './legal-facts.tsx';

const { links, schedulers } = site;

const { value, textIf, If, Unless } = templateOf<SiteVariables>();

/** The hosts of these addresses, once each, without those of placeholders. */
const hostsOf = (addresses: string[]) => [
  ...new Set(
    addresses.flatMap((address) =>
      // A draft may have an address that is none.
      isPlaceholder(address) || !URL.canParse(address)
        ? []
        : [new URL(address).hostname.replace(/^www\./, '')],
    ),
  ),
];

const [checkout] = hostsOf([links.checkout]);
const [quiz] = hostsOf([links.quiz]);
const optInHosts = optIn.script ? hostsOf([optIn.script, ...optIn.hosts]) : [];
const calendars = hostsOf(Object.values(schedulers));
const hasOwnCalendar = Object.values(schedulers).some(isPlaceholder);

/** What this visitor's referral is called throughout. */
const source = 'the site or campaign that sent you';

/** What a calendar receives, and reports, while its webhook is connected. */
function passedOnTo(host: string): string {
  const service = serviceOf(`https://${host}`);
  if (service === undefined) return '';
  const text = `It also receives the button that you pressed and ${source}, and reports to me when you request, book, move or cancel a call.`;
  return textIf(`${service}Webhook`, ` ${text}`);
}

/** Others who receive data, and when. */
const receivers = [
  ...calendars.map(
    (host) =>
      `${host} shows the calendar. It loads when you open it, and receives your network address and what you enter there.${passedOnTo(host)}`,
  ),
  checkout &&
    `${checkout} takes payments. It opens when you choose to buy, and receives what you enter there and ${source}.`,
  quiz &&
    `${quiz} runs the email quiz. It opens in a new tab when you follow its link, and receives nothing before.`,
  optInHosts.length > 0 &&
    `A script on the landing page connects to ${optInHosts.join(', ')}, which receives your network address and may set cookies of its own.`,
  ...legal.providers,
].filter((receiver) => typeof receiver === 'string');

/** What the receiver of the webhooks gets (`docs/api.md`). */
const automation =
  'A service that automates my work receives each message and booking as you send it, and each purchase without your name.';

/** What stays in the browser, and how long. */
const browserStorage = [
  'No cookies. Only I get some, when I sign in.',
  'Until you close the tab: a message that you have not sent, and that the quiz was offered.',
  checkout &&
    'For 30 days: the first and the last site or campaign that sent you, so that a purchase has its source. Not with Global Privacy Control.',
].filter((item) => item !== undefined);

export function Privacy() {
  return (
    <PageLayout>
      <Section>
        <Heading as="h1" textStyle="h1">
          {words.legal.privacy}
        </Heading>
        <Text textStyle="lead" color="fg.soft" maxW="34em" mt="5" mb="block">
          What this site stores about you, why, and for how long. You need no account, and no cookie
          follows you.
        </Text>
        <Part title="Who is responsible">
          <p>
            <NameAndAddress />
            <EmailLink />
          </p>
          <p>
            <Link href="/imprint" variant="underline">
              {words.legal.imprint}
            </Link>
          </p>
        </Part>
        <Part title="When you visit">
          <Facts
            facts={{
              Stored: `Each page view and each click on a button: its time, the button, and ${source}. Neither your name nor your network address is stored.`,
              Why: 'To see what the site is good for (legitimate interest, GDPR Article 6 (1) f).',
              Kept: (
                <>
                  <Kept period="keepActivity" otherwise="For as long as the site exists." />
                  <If name="keepActivity"> The totals stay.</If>
                </>
              ),
            }}
          />
          <p>
            To count you once a day, the site makes a code from your network address, your browser
            and a random key. An hour after midnight UTC the key and all codes are deleted. Nobody
            can link two of your days.
          </p>
          <p>
            If your browser sends Global Privacy Control, your visit only adds one to the number of
            visits left out, and what you send is stored without its source.
          </p>
        </Part>
        <Part title="When you write to me">
          <Facts
            facts={{
              Stored: (
                <>
                  Your {requiredNames.map(nounOf).join(', ')} and its time, and your{' '}
                  {optionalNames.map(nounOf).join(' or ')} if you name it.
                  <If name="sendsEmail"> A copy goes to my mailbox.</If>
                </>
              ),
              Why: 'To answer you (steps before a contract, Article 6 (1) b) and to keep out spam (f).',
              Kept: (
                <>
                  <Kept period="keepMessages" otherwise="Until I delete your message." /> Spam:{' '}
                  {value('keepSpam')}.
                </>
              ),
            }}
          />
        </Part>
        {hasOwnCalendar && (
          <Part title="When you book a call">
            <Facts
              facts={{
                Stored: (
                  <>
                    The time of the call, your name, email address, time zone, note and answers, the
                    button that you pressed, and {source}.
                    <If name="sendsEmail">
                      {' '}
                      You get a confirmation and a reminder by email, and I get a copy.
                    </If>
                  </>
                ),
                Why: 'To hold the call with you (steps before a contract, Article 6 (1) b).',
                Kept: <Kept period="keepBookings" otherwise="Until I delete your booking." />,
              }}
            />
          </Part>
        )}
        {checkout ? (
          <Purchase />
        ) : (
          <If name="storesSales">
            <Purchase />
          </If>
        )}
        <Part title="When somebody signs in">
          <Facts
            facts={{
              Stored:
                'Only I can sign in. Each attempt is stored with its network address, browser, time and result, also in the server’s log.',
              Why: 'To notice attacks (legitimate interest, Article 6 (1) f).',
              Kept: `${value('keepSignIns')}.`,
            }}
          />
          <If name="sharesLimits">
            <p>
              Against floods, hashed network addresses that send a lot are kept for up to a day and
              an hour.
            </p>
          </If>
        </Part>
        <Part title="In your browser">
          <List items={browserStorage} />
        </Part>
        {receivers.length > 0 ? (
          <Receivers>
            <List items={receivers} />
            <If name="sendsEvents">
              <p>{automation}</p>
            </If>
          </Receivers>
        ) : (
          <If name="sendsEvents">
            <Receivers>
              <p>{automation}</p>
            </Receivers>
          </If>
        )}
        <Part title="Your rights">
          <p>
            Write to <EmailLink /> to get a copy of your data, also as a file for another provider,
            or to have it corrected, restricted or deleted. You can object to any use that rests on
            a legitimate interest. I answer within a month.
          </p>
          <If name="keepBackups">
            <p>Deleted data is gone from the nightly backups after {value('keepBackups')}.</p>
          </If>
          <p>You can also complain to a data protection authority.</p>
        </Part>
      </Section>
    </PageLayout>
  );
}

const Purchase = () => (
  <Part title="When you buy">
    <Facts
      facts={{
        Stored: `Your email address, the amount, refunds, the time, the button that you pressed, and ${source}. Reports of the payment provider can also hold your name, address and the last digits of your card.`,
        Why: 'To deliver what you bought (contract, Article 6 (1) b) and to keep accounts (legal obligation, c).',
        Kept: (
          <>
            <If name="keepBuyers">
              {value('keepBuyers')}; then only the amounts stay, without your name.
            </If>
            <Unless name="keepBuyers">Until I remove your name; the amounts stay.</Unless>
          </>
        ),
      }}
    />
  </Part>
);

const Receivers = ({ children }: { children: ReactNode }) => (
  <Part title="Who else receives data">{children}</Part>
);

/** A titled part of the page: beside its title on wide screens. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Columns as="section" split="narrow" rowGap="4" py="8" borderTop="2px solid">
      <Subtitle as="h2">{title}</Subtitle>
      <Body>{children}</Body>
    </Columns>
  );
}

const Body = chakra('div', {
  base: {
    display: 'grid',
    gap: '4',
    maxW: '38em',
    color: 'fg.soft',
    '& ul': { listStyle: 'disc', ps: '5' },
    '& li + li': { mt: '2' },
  },
});

/** A retention period: the template variable `period`, or another sentence without a value. */
const Kept = ({
  period,
  otherwise,
}: {
  period: `keep${string}` & keyof SiteVariables;
  otherwise: string;
}) => (
  <>
    <If name={period}>{`${value(period)}.`}</If>
    <Unless name={period}>{otherwise}</Unless>
  </>
);

const List = ({ items }: { items: string[] }) => (
  <ul>
    {items.map((item) => (
      <li key={item}>{item}</li>
    ))}
  </ul>
);

/**
 * The privacy page. It follows from what the product stores (`docs/privacy.md`), from `site.config.ts`,
 * and from the settings of the server, which fills the `{{…}}` variables (`server/http/pages/settings-variables.ts`).
 */
import { chakra, Heading, Link, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { serviceOf } from '../../server/contract/calls.ts';
import {
  type FieldName,
  optionalNames,
  requiredNames,
} from '../../server/contract/contact-fields.ts';
import type { SiteVariables } from '../../server/contract/pages.ts';
import { fillWords } from '../../server/contract/words/words.ts';
import { site } from '../../site.config.ts';
import { legal, optIn } from '../../site.defaults.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { PageLayout } from '../landing/page-layout.tsx';
import { Columns, Section, Subtitle } from '../ui/section.tsx';
import { words } from '../ui/site-words.ts';
import { templateOf } from '../ui/template.tsx';
import { EmailLink, Facts, filledWith, NameAndAddress } from './legal-facts.tsx';

const { links, schedulers } = site;
const copy = words.privacyPage;

const { value, textIf, If, Unless } = templateOf<SiteVariables>();

/** `a, b, c`, or as alternatives `a, b, or c`, in the language of the site. */
const listed = (parts: string[], type: 'unit' | 'disjunction' = 'unit') =>
  new Intl.ListFormat(words.language, { type }).format(parts);

const nounOf = (name: FieldName) => words.contactFields[name];

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

/** What a calendar receives, and reports, while its webhook is connected. */
function passedOnTo(host: string): string {
  const service = serviceOf(`https://${host}`);
  if (service === undefined) return '';
  return textIf(`${service}Webhook`, ` ${copy.calendarReports}`);
}

/** Others who receive data, and when. */
const receivers = [
  ...calendars.map((host) => fillWords(copy.calendar, { host }) + passedOnTo(host)),
  checkout && fillWords(copy.checkout, { host: checkout }),
  quiz && fillWords(copy.quiz, { host: quiz }),
  optInHosts.length > 0 && fillWords(copy.optIn, { hosts: listed(optInHosts) }),
  ...legal.providers,
].filter((receiver) => typeof receiver === 'string');

/** What stays in the browser, and how long. */
const browserStorage = [copy.cookies, copy.tab, checkout && copy.sources].filter(
  (item) => item !== undefined,
);

export function Privacy() {
  return (
    <PageLayout>
      <Section>
        <Heading as="h1" textStyle="h1">
          {words.legal.privacy}
        </Heading>
        <Text textStyle="lead" color="fg.soft" maxW="34em" mt="5" mb="block">
          {copy.lead}
        </Text>
        <Part title={copy.responsible}>
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
        <Part title={copy.visit}>
          <Data
            stored={copy.visitStored}
            why={copy.visitWhy}
            kept={
              <>
                <Kept period="keepActivity" otherwise={copy.visitKept} />
                <If name="keepActivity"> {copy.totals}</If>
              </>
            }
          />
          <p>{copy.visitor}</p>
          <p>{copy.globalPrivacyControl}</p>
        </Part>
        <Part title={copy.message}>
          <Data
            stored={
              <>
                {fillWords(copy.messageStored, {
                  required: listed(requiredNames.map(nounOf)),
                  optional: listed(optionalNames.map(nounOf), 'disjunction'),
                })}
                <If name="sendsEmail"> {copy.messageCopy}</If>
              </>
            }
            why={copy.messageWhy}
            kept={
              <>
                <Kept period="keepMessages" otherwise={copy.messageKept} />{' '}
                {fillWords(copy.spamKept, { period: value('keepSpam') })}
              </>
            }
          />
        </Part>
        {hasOwnCalendar && (
          <Part title={copy.call}>
            <Data
              stored={
                <>
                  {copy.callStored}
                  <If name="sendsEmail"> {copy.callCopy}</If>
                </>
              }
              why={copy.callWhy}
              kept={<Kept period="keepBookings" otherwise={copy.callKept} />}
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
        <Part title={copy.signIn}>
          <Data
            stored={copy.signInStored}
            why={copy.signInWhy}
            kept={fillWords(copy.keptFor, { period: value('keepSignIns') })}
          />
          <If name="sharesLimits">
            <p>{copy.floods}</p>
          </If>
        </Part>
        <Part title={copy.browser}>
          <List items={browserStorage} />
        </Part>
        {receivers.length > 0 ? (
          <Receivers>
            <List items={receivers} />
            <If name="sendsEvents">
              <p>{copy.automation}</p>
            </If>
          </Receivers>
        ) : (
          <If name="sendsEvents">
            <Receivers>
              <p>{copy.automation}</p>
            </Receivers>
          </If>
        )}
        <Part title={copy.rights}>
          <p>{filledWith(copy.request, { email: <EmailLink /> })}</p>
          <If name="keepBackups">
            <p>{fillWords(copy.backups, { period: value('keepBackups') })}</p>
          </If>
          <p>{copy.authority}</p>
        </Part>
      </Section>
    </PageLayout>
  );
}

const Purchase = () => (
  <Part title={copy.purchase}>
    <Data
      stored={copy.purchaseStored}
      why={copy.purchaseWhy}
      kept={
        <Kept period="keepBuyers" keptFor={copy.purchaseKeptFor} otherwise={copy.purchaseKept} />
      }
    />
  </Part>
);

const Receivers = ({ children }: { children: ReactNode }) => (
  <Part title={copy.receivers}>{children}</Part>
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

/** What is stored of the visitor, why and for how long. */
const Data = ({ stored, why, kept }: Record<'stored' | 'why' | 'kept', ReactNode>) => (
  <Facts
    facts={[
      [copy.stored, stored],
      [copy.why, why],
      [copy.kept, kept],
    ]}
  />
);

/** A retention period: a sentence with the template variable `period`, or another one without a value. */
const Kept = ({
  period,
  keptFor = copy.keptFor,
  otherwise,
}: {
  period: `keep${string}` & keyof SiteVariables;
  keptFor?: string;
  otherwise: string;
}) => (
  <>
    <If name={period}>{fillWords(keptFor, { period: value(period) })}</If>
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

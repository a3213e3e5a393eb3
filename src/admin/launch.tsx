/** The results of the launch check. A dashboard with visits does not load this module. */

import { Button, chakra, Heading, Text, VisuallyHidden } from '@chakra-ui/react';
import { Link } from 'react-router-dom';
import { pluralize } from '../../server/contract/numbers.ts';
import { trpc } from '../api/trpc.ts';
import { drawn, stop } from '../theme/stop.ts';
import { type Check, countLeft, isTodo } from './steps-left.tsx';

type Finding = Check['findings'][number];

/** What is done before going live, and what is left: stations on a line. */
export function LaunchList({
  done,
  findings,
}: {
  /** What holds already, as sentences. */
  done: string[];
  findings: Finding[];
}) {
  return (
    <Stations>
      {done.map((text) => (
        <li key={text} data-kind="done">
          <VisuallyHidden>Done: </VisuallyHidden>
          <span>{text}</span>
        </li>
      ))}
      {findings.map((finding) => {
        const { kind, where, text, line } = finding;
        const to = placeOf(finding);
        return (
          <li key={`${where} ${text}`} data-kind={kind}>
            <VisuallyHidden>{`${names[kind]}: `}</VisuallyHidden>
            <div>
              {line !== undefined && <span>{`Line ${line}: `}</span>}
              {where !== undefined && <b>{`${where} `}</b>}
              <span>{text}</span>
            </div>
            {to !== undefined && (
              <Button asChild flexShrink="0" minH="11">
                <Link to={to} aria-label={`Do it: ${text}`}>
                  Do it
                </Link>
              </Button>
            )}
          </li>
        );
      })}
    </Stations>
  );
}

/** Where the owner can do it; undefined when only on the server. */
function placeOf({ where, path }: Finding): string | undefined {
  if (path !== undefined) return `/analytics/site?field=${path}`;
  const part = parts[where ?? ''];
  return part && `/analytics/settings/${part}`;
}

/** The parts of Settings that stand for a variable. */
const parts: Record<string, string> = {
  SMTP_URL: 'email',
  STRIPE_WEBHOOK_SECRET: 'payments',
  CALENDLY_WEBHOOK_SECRET: 'booking-services',
  CAL_WEBHOOK_SECRET: 'booking-services',
};

export const isDone = ({ findings }: Check): boolean => findings.length === 0;

/** Whether the texts are those of `site.config.ts`, and can be changed only there. */
export const namesLines = (checks: readonly Check[]): boolean =>
  checks.some(({ findings }) => findings.some(({ line }) => line !== undefined));

/** `12 things to do before going live.` */
export function countSentence(checks: readonly Check[]): string {
  const count = countLeft(checks);
  if (count === 0) return 'Nothing left to do before going live.';
  return `${pluralize(count, 'thing')} to do before going live.`;
}

/** The most rows of first steps: of what is done, and of what is left. */
const mostDone = 2;
const mostLeft = 6;

/** Some of what is done before going live, and one thing of each check that is left. */
export function FirstSteps() {
  const { data } = trpc.settings.launchCheck.useQuery();
  // A server of another version may not send them.
  if (!data?.checks) return null;
  const done = data.checks.filter(isDone);
  const left = data.checks.flatMap(({ findings }) => findings.find(isTodo) ?? []);
  return (
    <section aria-label="Before you go live">
      <Heading as="h3" textStyle="h4">
        Before you go live
      </Heading>
      <LaunchList
        done={done.slice(0, mostDone).map((check) => check.done)}
        findings={left.slice(0, mostLeft)}
      />
      <Text textStyle="small" color="fg.muted" css={underlined}>
        <span>
          {namesLines(data.checks)
            ? 'Texts are in site.config.ts, settings in the file .env.'
            : 'Settings are in the file .env.'}
        </span>{' '}
        <Link to="/analytics/settings/launch">All steps</Link>
      </Text>
    </section>
  );
}

const underlined = {
  '& a': { display: 'inline-block', py: '2', color: 'fg', textDecoration: 'underline' },
};

const names: Record<Finding['kind'], string> = {
  todo: 'To do',
  unknown: 'Could not be checked',
  advice: 'For information',
};

const tick = (colour: string) =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='${colour}' stroke-width='2.5'%3E%3Cpath d='M4 8.5l3 3 5-6.5'/%3E%3C/svg%3E")`;

const Stations = chakra('ul', {
  base: {
    pt: '3',
    '& li': {
      position: 'relative',
      ps: '8',
      pb: '2',
      lineHeight: '1.45',
      overflowWrap: 'anywhere',
    },
    '& b': { fontWeight: '700' },
    '& li[data-kind=done], & li[data-kind=advice]': { color: 'fg.muted' },
    // The line to the next station.
    '& li:not(:last-child)::before': {
      ...drawn,
      top: '0.75em',
      bottom: '-0.75em',
      insetStart: '8px',
      borderInlineStart: '3px solid {colors.hairline}',
    },
    '& li[data-kind=done]::before': { borderColor: 'line.green !important' },
    '& li::after': {
      ...stop({ size: 19, ring: 3 }),
      top: '0.15em',
      insetStart: '0',
      fontSize: '0.8125rem',
      fontWeight: '700',
      lineHeight: '13px',
      textAlign: 'center',
    },
    '& li:has(a)': {
      display: 'flex',
      alignItems: 'center',
      justifyContent: 'space-between',
      columnGap: '4',
      // Beside the button, above the padding below it.
      _after: { top: 'calc(50% - 0.25rem - 9.5px)' },
    },
    '& li[data-kind=done]::after': {
      bg: 'line.green',
      borderColor: 'line.green',
      backgroundImage: { base: tick('white'), _dark: tick('black') },
      backgroundSize: '19px',
      backgroundPosition: 'center',
    },
    '& li[data-kind=unknown]::after': { content: '"?"', borderColor: 'field' },
    '& li[data-kind=advice]::after': {
      boxSize: '11px',
      top: '0.4em',
      insetStart: '4px',
      borderColor: 'field',
    },
  },
});

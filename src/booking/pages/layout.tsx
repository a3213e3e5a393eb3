import { Box, chakra, Heading, Link, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { mailto } from '../../../server/contract/mailto.ts';
import type { SchedulerVariables } from '../../../server/contract/pages.ts';
import { site } from '../../../site.config.ts';
import { PlainHeader } from '../../ui/brand.tsx';
import { LegalLinks } from '../../ui/legal-links.tsx';
import { words } from '../../ui/site-words.ts';
import { templateOf } from '../../ui/template.tsx';

const { value, If, Unless } = templateOf<SchedulerVariables>();

/**
 * A page of the scheduler. In the frame of a booking dialog, which has a title of its own, it is without
 * header, title and foot; `name` then labels its main part, since the page around it has one, too.
 */
export const BookingLayout = ({
  name,
  title,
  children,
}: {
  name: string;
  title: ReactNode;
  children: ReactNode;
}) => (
  <>
    <Unless name="isFramed">
      <PlainHeader />
    </Unless>
    <Main as="main" aria-label={name}>
      {title}
      {children}
    </Main>
    <Unless name="isFramed">
      <footer>
        <LegalLinks px="gutter" color="fg.muted" />
      </footer>
    </Unless>
  </>
);

const Main = chakra('div', {
  base: {
    px: 'gutter',
    pb: '8',
    // In a frame there is no header, and the dialog has its own space around it.
    '&:first-child': { px: '3px', pb: { base: '0', sm: '6' } },
  },
});

export const PageTitle = ({ children }: { children: ReactNode }) => (
  <Heading as="h1" textStyle="h2" mt="8" mb="3">
    {children}
  </Heading>
);

/** What went wrong; it takes the focus. */
export const ErrorMessage = () => (
  <If name="error">
    <Text
      role="alert"
      tabIndex={-1}
      autoFocus
      mb="5"
      ps="4"
      borderInlineStart="6px solid"
      borderColor="line.red"
      fontWeight="700"
    >
      {value('error')}
    </Text>
  </If>
);

/** Shown by the page's script instead of sending its form without a network, which would lose what was typed. */
export const OfflineNotice = () => (
  <Text role="alert" hidden data-offline="" mb="3" fontWeight="700">
    {words.offline.form}{' '}
    <Link href={mailto(site.brand.email)} target="_top" variant="underline">
      {site.brand.email}
    </Link>
  </Text>
);

/** A rule above the heading of a column, in the colour of `--rule`. */
export const Rule = () => <Box h="1" bg="var(--rule, {colors.hairline})" mb="3" />;

import {
  Badge,
  Button,
  Container,
  chakra,
  Flex,
  Heading,
  Strong,
  Text,
  VisuallyHidden,
} from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router-dom';
import { formatNumber } from '../../server/contract/numbers.ts';
import { trpc } from '../api/trpc.ts';
import { stop } from '../theme/stop.ts';
import { Brand } from '../ui/brand.tsx';
import { OwnerAlert } from './alert.tsx';
import { useLeaveInAllTabs } from './session.ts';
import type { Status } from './use-status.ts';

type HeaderStatus = { [Name in keyof Status]?: Status[Name] | undefined } | undefined;

/**
 * The first row of every admin screen: the brand, the links between the screens and Logout. Above it stands whether the
 * data are made up.
 */
export const AdminBar = ({ status, isWide }: { status: HeaderStatus; isWide?: boolean }) => {
  const { unread = 0, isDemo } = status ?? {};
  return (
    <>
      {isDemo && <DemoBar />}
      <Bar fluid {...(isWide && { px: '6' })}>
        <Brand />
        <Links aria-label="Screens">
          <NavLink to="/analytics" end>
            Dashboard
          </NavLink>
          <NavLink to="/analytics/bookings">Bookings</NavLink>
          <NavLink to="/analytics/messages">
            <span>Messages</span>
            {unread > 0 && (
              <Badge flexShrink="0" px={{ base: '1', sm: '2' }} minW="6" textAlign="center">
                <span>{formatNumber(unread)}</span>
                <VisuallyHidden> unread</VisuallyHidden>
              </Badge>
            )}
          </NavLink>
          <NavLink to="/analytics/site">Site</NavLink>
          <NavLink to="/analytics/settings">Settings</NavLink>
        </Links>
        <LogoutButton />
      </Bar>
    </>
  );
};

/** The header of an admin screen: its first row, its title with its controls, and the owner alerts. */
export function AdminHeader({
  title,
  subtitle,
  status,
  children,
}: {
  title: string;
  subtitle: string;
  /** Undefined until it arrives; see `useStatus`. */
  status: HeaderStatus;
  /** The controls of the screen. */
  children?: ReactNode;
}) {
  const alert = status?.alert;
  return (
    <header>
      <AdminBar status={status} />
      <Container
        fluid
        display="flex"
        flexWrap="wrap"
        alignItems="end"
        justifyContent="space-between"
        columnGap="6"
        rowGap="4"
        pt="5"
      >
        <div>
          <Heading
            as="h1"
            textStyle="h2"
            fontSize="clamp(1.5rem, 1rem + 2.4vw, 2rem)"
            lineHeight="1.1"
          >
            {title}
          </Heading>
          <Text color="fg.muted" fontSize={{ base: '0.9375rem', sm: '1.0625rem' }} lineHeight="1.5">
            {subtitle}
          </Text>
        </div>
        <Flex
          wrap="wrap"
          gap={{ base: '2', sm: '3' }}
          flex={{ base: '1 1 auto', sm: '0 1 auto' }}
          css={{ '& > :not([data-printed])': { _print: { display: 'none' } } }}
        >
          {children}
        </Flex>
      </Container>
      {alert && (
        <Container fluid>
          <OwnerAlert role="alert" mb="4" whiteSpace="pre-line">
            {alert}
          </OwnerAlert>
        </Container>
      )}
    </header>
  );
}

const DemoBar = () => (
  <Container fluid py="2" bg="bg.inverted" color="fg.onInverted">
    <Strong>Demo data.</Strong> <span>Nothing here is real, and nothing is sent.</span>
  </Container>
);

/** How long Logout waits for the server before it shows the login screen, in ms. */
const logoutTimeoutMs = 2500;

function LogoutButton() {
  const leave = useLeaveInAllTabs();
  const queryClient = useQueryClient();
  const logout = trpc.auth.logout.useMutation({
    // The server would refuse a request that it handles after the logout; see also `restLink`.
    onMutate: () => queryClient.cancelQueries(),
    onSettled: (_, error) => leave(error),
    trpc: { context: { timeoutMs: logoutTimeoutMs } },
  });
  return (
    <Button
      type="button"
      minH="11"
      ms={{ base: 'auto', lg: '0' }}
      disabled={logout.isPending}
      onClick={() => logout.mutate()}
    >
      Logout
    </Button>
  );
}

/** One row over the rule on wide screens. On narrow ones the links have a row of their own. */
const Bar = chakra(Container, {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '8',
    pt: '2',
    minH: '16',
    borderBottom: '4px solid {colors.fg}',
  },
});

const Links = chakra('nav', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    order: { base: 1, lg: 0 },
    w: { base: 'full', lg: 'auto' },
    ms: { lg: 'auto' },
    justifyContent: { base: 'space-between', lg: 'flex-end' },
    columnGap: { base: '1', lg: '8' },
    // The five names fit into one row at 320 px.
    fontSize: { base: 'clamp(0.8125rem, 4vw, 0.9375rem)', md: '1rem' },
    '& a': {
      position: 'relative',
      display: 'flex',
      alignItems: 'center',
      gap: { base: '1', sm: '2' },
      minH: '12',
      fontWeight: '500',
      _hover: { textDecoration: 'underline', textUnderlineOffset: '6px' },
    },
    // A station on the rule below the current screen.
    '& [aria-current=page]': {
      fontWeight: '700',
      _after: {
        ...stop({ size: 20 }),
        top: 'calc(100% - 8px)',
        insetStart: 'calc(50% - 10px)',
      },
    },
  },
});

import { chakra } from '@chakra-ui/react';
import { Link, useNavigate } from 'react-router-dom';
import { trpc } from '../api/trpc.ts';
import { preloadInbox } from '../inbox/lazy-page.tsx';
import { Button } from '../ui/button.tsx';
import { wholeNumber } from './format.ts';
import { RefreshButton } from './refresh-button.tsx';

/** The dashboard's title, its two controls, and the way to the messages. */
export function DashboardHeader({
  unread,
  isFetching,
  onRefresh,
  announcement,
}: {
  /** Number of messages that nobody has read. */
  unread: number;
  isFetching: boolean;
  onRefresh: () => void;
  announcement: string;
}) {
  const navigate = useNavigate();
  const logout = trpc.auth.logout.useMutation({
    onSettled: () => navigate('/admin'),
  });
  return (
    <chakra.header
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      columnGap="6"
      rowGap="4"
      px="gutter"
      py="5"
      borderBottom="4px solid"
      borderColor="fg"
    >
      <div>
        <chakra.h1 textStyle="h2" fontSize="clamp(1.75rem, 1.4rem + 1.6vw, 2.5rem)">
          Analytics Dashboard
        </chakra.h1>
        <chakra.p color="fg.muted" mt="1">
          Email Deliverability Audit Sales Performance
        </chakra.p>
      </div>
      <chakra.div display="flex" flexWrap="wrap" gap="3">
        <Button asChild>
          <Link to="/analytics/messages" onPointerEnter={preloadInbox} onFocus={preloadInbox}>
            Messages
            {unread > 0 && (
              <chakra.span border="2px solid" borderRadius="1em" px="2" textStyle="small">
                {wholeNumber(unread)}
                <chakra.span srOnly> unread</chakra.span>
              </chakra.span>
            )}
          </Link>
        </Button>
        <RefreshButton isFetching={isFetching} onClick={onRefresh} />
        <Button type="button" disabled={logout.isPending} onClick={() => logout.mutate()}>
          Logout
        </Button>
      </chakra.div>
      <chakra.p role="status" srOnly>
        {announcement}
      </chakra.p>
    </chakra.header>
  );
}

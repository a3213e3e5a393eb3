import { chakra } from '@chakra-ui/react';
import { useNavigate } from 'react-router-dom';
import { trpc } from '../api/trpc.ts';
import { Button } from '../ui/button.tsx';
import { RefreshButton } from './refresh-button.tsx';

/** The dashboard's title and its two controls. */
export function DashboardHeader({
  isFetching,
  onRefresh,
  announcement,
}: {
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

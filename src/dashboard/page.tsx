import {
  Badge,
  Box,
  Button,
  Container,
  defineStyle,
  Flex,
  Span,
  VisuallyHidden,
} from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { OwnerAlert } from '../admin/alert.tsx';
import { wholeNumber } from '../admin/format.ts';
import { AdminHeader } from '../admin/header.tsx';
import { RefreshButton } from '../admin/refresh-button.tsx';
import { type Period, periods } from '../admin/report.ts';
import { Time } from '../admin/time.tsx';
import { trpc } from '../api/trpc.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { ConversionsPanel } from './conversions.tsx';
import { FunnelPanel } from './funnel.tsx';
import { PeriodSelector } from './period-selector.tsx';
import { SummaryCards } from './summary-cards.tsx';
import { figuresOf, useDashboard } from './use-dashboard.ts';

const defaultPeriod: Period = 30;

/** The panels below the conversions, loaded after the first response. Without them the rest still works. */
const InsightsPanels = lazy(() =>
  import('../insights/panels.tsx').then((m) => ({ default: m.InsightsPanels })),
);

/** The sales dashboard: visits, clicks, sales and revenue of a period. */
export function DashboardPage({
  preloadInbox,
}: {
  /** Called when the owner is about to open the messages. */
  preloadInbox?: () => void;
}) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const logout = trpc.auth.logout.useMutation({
    // The server would refuse a request that it handles after the logout.
    onMutate: () => queryClient.cancelQueries(),
    onSettled: () => navigate('/admin'),
  });
  const [params, setParams] = useSearchParams();
  const days = periods.find((period) => String(period) === params.get('days')) ?? defaultPeriod;
  const setDays = (period: Period) =>
    setParams(period === defaultPeriod ? {} : { days: String(period) });
  const { report, isFetching, isChanging, isStale, announcement, refresh } = useDashboard(days);
  const figures = report?.figures ?? figuresOf();
  const unread = report?.unread ?? 0;
  return (
    <>
      <AdminHeader
        title="Analytics Dashboard"
        subtitle="Email Deliverability Audit Sales Performance"
      >
        <Button asChild>
          <Link to="/analytics/bookings">Bookings</Link>
        </Button>
        <Button asChild>
          <Link to="/analytics/messages" onPointerEnter={preloadInbox} onFocus={preloadInbox}>
            Messages
            {unread > 0 && (
              <Badge>
                {wholeNumber(unread)}
                <VisuallyHidden> unread</VisuallyHidden>
              </Badge>
            )}
          </Link>
        </Button>
        <RefreshButton what="figures" isFetching={isFetching} onClick={refresh} />
        <Button type="button" disabled={logout.isPending} onClick={() => logout.mutate()}>
          Logout
        </Button>
        <VisuallyHidden as="p" role="status">
          {announcement}
        </VisuallyHidden>
      </AdminHeader>
      <Container
        pt="6"
        pb="16"
        data-loading={(isChanging && !report) || undefined}
        data-changing={isChanging || undefined}
        data-stale={isStale || undefined}
      >
        <Flex wrap="wrap" align="center" justify="space-between" columnGap="6" rowGap="3">
          <PeriodSelector days={days} onChange={setDays} />
          <Flex
            as="p"
            wrap="wrap"
            columnGap="4"
            textStyle="small"
            color="fg.muted"
            fontVariantNumeric="tabular-nums"
          >
            <span>Data from last {report?.days ?? days} days</span>
            <Span fontStyle={isStale ? 'italic' : undefined}>
              Last updated {report ? <Time at={report.receivedAt} /> : '–'}
              {isStale && <VisuallyHidden>, not up to date</VisuallyHidden>}
            </Span>
          </Flex>
        </Flex>
        {report?.trouble && <OwnerAlert role="alert">{report.trouble}</OwnerAlert>}
        <Box aria-busy={isChanging} data-figures="" css={figuresState}>
          <SummaryCards
            figures={figures}
            currency={report?.currency ?? 'USD'}
            others={report?.otherCurrencies ?? []}
            timeWindow={report?.timeWindow}
          />
          <FunnelPanel figures={figures} />
          <ConversionsPanel count={figures.conversions} recent={report?.recent} />
          {report && logout.isIdle && (
            <ErrorBoundary fallback={null}>
              <Suspense>
                <InsightsPanels report={report} />
              </Suspense>
            </ErrorBoundary>
          )}
        </Box>
      </Container>
    </>
  );
}

const figuresState = defineStyle({
  // Hide the figures until the first response, so that placeholder zeros are not shown.
  '[data-loading] > &': { visibility: 'hidden' },
  // Dim figures that are stale or of the previous period.
  '[data-changing] > &, [data-stale] > &': { color: 'fg.muted' },
});

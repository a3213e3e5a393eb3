/** The entry point of the dashboard's lazily loaded panels. */
import { Component, type ReactNode } from 'react';
import type { Report } from '../dashboard/use-dashboard.ts';
import { InsightsPanels } from './insights.tsx';
import { MoneyPanel } from './money.tsx';

/** The money panel, from the report, and the insights, which have a request of their own. */
export function InsightsAndMoney({ report }: { report: Report }) {
  const { figures, others, stripe, receivedAt } = report;
  return (
    <>
      <PanelBoundary>
        <MoneyPanel figures={figures} others={others} stripe={stripe} receivedAt={receivedAt} />
      </PanelBoundary>
      <PanelBoundary>
        <InsightsPanels report={report} />
      </PanelBoundary>
    </>
  );
}

/** An error boundary that hides a panel that throws. React offers this for classes only. */
class PanelBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}

/** Everything the dashboard fetches later: this file is the one that is imported lazily. */
import { Component, type ReactNode } from 'react';
import type { Report } from '../dashboard/use-dashboard.ts';
import { InsightsPanels } from './insights.tsx';
import { MoneyPanel } from './money.tsx';

/** What the revenue is made of, which the report tells, and a closer look at it, which is asked for. */
export function LatePanels({ report }: { report: Report }) {
  const { figures, others, stripe, receivedAt } = report;
  return (
    <>
      <Apart>
        <MoneyPanel figures={figures} others={others} stripe={stripe} receivedAt={receivedAt} />
      </Apart>
      <Apart>
        <InsightsPanels report={report} />
      </Apart>
    </>
  );
}

/** What breaks in here takes nothing else with it. React knows this as a class only. */
class Apart extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? null : this.props.children;
  }
}

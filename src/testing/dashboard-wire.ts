/** For tests of the dashboard: a wire on which its two calls are answered apart. */
import { type Mock, vi } from 'vitest';

/** Answers each call of the dashboard's own by `answer`; the closer look is never answered. */
export function answerDashboard(answer: () => Response | Promise<Response>): Mock<typeof fetch> {
  return answerBoth({ dashboard: answer, breakdown: () => new Promise(() => {}) }).dashboard;
}

/** Answers the dashboard's call and that of the closer look, until the test ends. */
export function answerBoth(
  answers: Record<'dashboard' | 'breakdown', () => Response | Promise<Response>>,
): Record<'dashboard' | 'breakdown', Mock<typeof fetch>> {
  const dashboard = vi.fn<typeof fetch>(async () => answers.dashboard());
  const breakdown = vi.fn<typeof fetch>(async () => answers.breakdown());
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    String(input).startsWith('/api/analytics/breakdown')
      ? breakdown(input, init)
      : dashboard(input, init),
  );
  return { dashboard, breakdown };
}

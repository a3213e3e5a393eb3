/** What the launch check leaves to do, on a dashboard with visits. It loads this module after its figures. */
import { Link as StyledLink } from '@chakra-ui/react';
import { Link } from 'react-router-dom';
import type { Outputs } from '../../server/contract/api.ts';
import { pluralize } from '../../server/contract/numbers.ts';
import { trpc } from '../api/trpc.ts';

export type Check = Outputs['settings']['launchCheck']['checks'][number];

export const isTodo = ({ kind }: Check['findings'][number]): boolean => kind === 'todo';

export const countLeft = (checks: readonly Check[]): number =>
  checks.flatMap(({ findings }) => findings).filter(isTodo).length;

/** A link to the steps; nothing once all are done. */
export function StepsLeft() {
  const { data } = trpc.settings.launchCheck.useQuery();
  const count = countLeft(data?.checks ?? []);
  if (count === 0) return null;
  return (
    <StyledLink
      variant="underline"
      fontWeight="600"
      display="inline-flex"
      alignItems="center"
      minH="6"
      asChild
    >
      <Link to="/analytics/settings/launch">{`${pluralize(count, 'step')} to go live`}</Link>
    </StyledLink>
  );
}

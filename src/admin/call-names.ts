import type { Outputs } from '../../server/contract/api.ts';

type Call = Outputs['booking']['list']['bookings'][number]['call'];

/** What the admin screens call each kind of call. */
export const callNames: Record<Call, string> = {
  'strategy-call': 'Strategy call',
  'inbox-review': 'Inbox review',
};

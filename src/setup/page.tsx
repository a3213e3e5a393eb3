/** The set-up of a fresh site: a password by the one-time code, then what the owner changes first. Loaded on demand. */
import { Box, Text } from '@chakra-ui/react';
import { OwnerAlert } from '../admin/alert.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { Claim } from './claim.tsx';
import { OwnSteps } from './own-steps.tsx';

/** `isFresh`: nobody has set the site up yet. */
export const SetupPage = ({ isFresh = false }: { isFresh?: boolean }) =>
  isFresh ? <Claim /> : <OwnerSetup />;

/** The steps of the signed-in owner. */
function OwnerSetup() {
  const draft = trpc.site.draft.useQuery();
  const fields = trpc.site.fields.useQuery();
  const error = draft.error ?? fields.error;
  useLeaveWhenSignedOut(error);
  if (draft.data && fields.data) return <OwnSteps loaded={draft.data} rows={fields.data.fields} />;
  if (error) {
    return (
      <Box p="6">
        <OwnerAlert role="alert" mt="0">
          {errorResponseOf(error)?.sentence ?? 'Could not load this. Reload the page.'}
        </OwnerAlert>
      </Box>
    );
  }
  return (
    <Text p="6" role="status" color="fg.muted">
      Loading …
    </Text>
  );
}

/** The screen Site: the owner edits the site, sees it, publishes it and takes it back. Loaded on demand. */
import { Box, Flex } from '@chakra-ui/react';
import { Global } from '@emotion/react';
import { OwnerAlert } from '../admin/alert.tsx';
import { AdminBar } from '../admin/header.tsx';
import { useLeaveWhenSignedOut } from '../admin/session.ts';
import { useStatus } from '../admin/use-status.ts';
import { errorResponseOf, trpc } from '../api/trpc.ts';
import { SiteEditor } from './site-editor.tsx';

export function SitePage() {
  const draft = trpc.site.draft.useQuery();
  const fields = trpc.site.fields.useQuery();
  useLeaveWhenSignedOut(draft.error ?? fields.error);
  const error = draft.error ?? fields.error;
  const status = useStatus();
  return (
    <Flex direction="column" h={{ lg: '100dvh' }} minH="100dvh">
      {/* Its parts scroll on wide screens, and not the page. */}
      <Global styles={{ html: { scrollbarGutter: 'auto' } }} />
      <AdminBar status={status} isWide />
      {status?.alert && <Alert>{status.alert}</Alert>}
      {error && (
        <Alert>{errorResponseOf(error)?.sentence ?? 'Could not load this. Reload the page.'}</Alert>
      )}
      {draft.data && fields.data ? (
        <SiteEditor loaded={draft.data} rows={fields.data.fields} />
      ) : (
        <Box flex="1" bg={error ? undefined : 'bg.tint'} aria-busy={!error} />
      )}
    </Flex>
  );
}

const Alert = ({ children }: { children: string }) => (
  <Box px="6" py="3">
    <OwnerAlert role="alert" mt="0" whiteSpace="pre-line">
      {children}
    </OwnerAlert>
  </Box>
);

/** The Settings screen. This module is loaded on demand. */
import { SimpleGrid } from '@chakra-ui/react';
import { AdminHeader } from '../admin/header.tsx';
import { ScreenContent } from '../admin/screen.tsx';
import { useStatus } from '../admin/use-status.ts';
import { trpc } from '../api/trpc.ts';
import { BackupPanel } from './backup-panel.tsx';
import { EmailPanel } from './email-panel.tsx';
import { ImportSales } from './import-sales.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { LaunchPanel } from './launch-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

/** What the owner can check and change in the browser. Each section is a component of its own. */
export function SettingsPage() {
  // These two grow the most.
  const checks = trpc.settings.launchCheck.useQuery();
  const sessions = trpc.auth.sessions.useQuery();
  return (
    <>
      <AdminHeader
        title="Settings"
        subtitle="Your site, your password and your data"
        status={useStatus()}
      />
      <ScreenContent css={commands} isLoading={checks.isLoading || sessions.isLoading}>
        <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="6" mt={{ lg: '-5' }}>
          <LaunchPanel />
          <div>
            <PasswordPanel />
            <SessionsPanel />
            <KeysPanel />
            <EmailPanel />
            <BackupPanel />
          </div>
        </SimpleGrid>
        <ImportSales />
      </ScreenContent>
    </>
  );
}

/** What is typed into a terminal or a file. */
const commands = {
  '& code': {
    px: '1',
    bg: 'bg.tint',
    borderRadius: 'button',
    fontFamily: 'monospace',
    fontSize: '0.9em',
  },
};

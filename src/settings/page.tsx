/** The Settings screen. This module is loaded on demand. */
import { Container } from '@chakra-ui/react';
import { AdminHeader } from '../admin/header.tsx';
import { useUnread } from '../admin/use-unread.ts';
import { ImportSales } from './import-sales.tsx';

/** What the owner can check and change in the browser. Each section is a component of its own. */
export function SettingsPage() {
  return (
    <>
      <AdminHeader
        title="Settings"
        subtitle="Your site, your password and your data"
        unread={useUnread()}
      />
      <Container fluid pb="16">
        <ImportSales />
      </Container>
    </>
  );
}

import { chakra } from '@chakra-ui/react';
import { type ComponentType, useEffect, useState } from 'react';

const load = () => import('./page.tsx');

/** Somebody may be about to open the messages: their code comes ahead. */
export const preloadInbox = () => void load().catch(() => {});

/** The owner's messages. Their code is fetched when they are opened, so that the figures need none of it. */
export function LazyInbox() {
  const [Page, setPage] = useState<ComponentType>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    load().then(
      ({ InboxPage }) => setPage(() => InboxPage),
      () => setFailed(true),
    );
  }, []);
  if (Page) return <Page />;
  return (
    hasFailed && (
      <chakra.p role="alert" px="gutter" py="8" fontWeight="600">
        The messages could not be loaded.{' '}
        <chakra.a href="/analytics/messages" textDecoration="underline">
          Try again
        </chakra.a>
      </chakra.p>
    )
  );
}

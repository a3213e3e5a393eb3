import { Box, Link, Text } from '@chakra-ui/react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Route, Routes, useNavigationType } from 'react-router-dom';
import { LoginPage } from './auth/page.tsx';
import { DashboardPage } from './dashboard/page.tsx';
import { ErrorBoundary } from './ui/error-boundary.tsx';

// The dashboard is not lazy: it is the screen that owners open most, and its requests start at once. Nor is the
// login screen: Logout shows it also when the server is gone.
const BookingsPage = lazy(() =>
  import('./bookings/page.tsx').then((m) => ({ default: m.BookingsPage })),
);
const InboxPage = lazy(() => import('./inbox/page.tsx').then((m) => ({ default: m.InboxPage })));
const SitePage = lazy(() => import('./editor/page.tsx').then((m) => ({ default: m.SitePage })));
const SettingsPage = lazy(() =>
  import('./settings/page.tsx').then((m) => ({ default: m.SettingsPage })),
);
const SetupPage = lazy(() => import('./setup/page.tsx').then((m) => ({ default: m.SetupPage })));

const screens = [
  { path: '/admin', title: 'Admin Access', content: <LoginPage /> },
  { path: '/analytics', title: 'Analytics Dashboard', content: <DashboardPage /> },
  { path: '/analytics/bookings', title: 'Bookings', content: <BookingsPage /> },
  { path: '/analytics/messages', title: 'Messages', content: <InboxPage /> },
  { path: '/analytics/site', title: 'Site', content: <SitePage /> },
  { path: '/analytics/settings/:noun?', title: 'Settings', content: <SettingsPage /> },
  { path: '/analytics/setup', title: 'Set-up', content: <SetupPage /> },
  { path: '/setup', title: 'Set-up', content: <SetupPage isFresh /> },
];

/** The admin screens. */
export function App() {
  return (
    <Routes>
      {screens.map(({ path, title, content }) => (
        <Route
          key={path}
          path={path}
          element={
            <Screen key={path} title={title}>
              {content}
            </Screen>
          }
        />
      ))}
      <Route path="*" element={<NotAScreen />} />
    </Routes>
  );
}

/** True after navigation from another screen; false on a page load and on back or forward. */
const useCameFromScreen = () => useNavigationType() !== 'POP';

/**
 * Reloads paths outside the admin screens, because the server renders the public page and the
 * not-found page as separate documents.
 */
function NotAScreen() {
  const cameFromScreen = useCameFromScreen();
  useEffect(() => {
    if (cameFromScreen) window.location.reload();
  }, [cameFromScreen]);
  return null;
}

/** Sets the document title, and takes the focus if it opens by navigation from another screen. */
function Screen({ title, children }: { title: string; children: ReactNode }) {
  const main = useRef<HTMLDivElement>(null);
  // Of the first render: a later navigation, such as a search, stays on this screen.
  const [cameFromScreen] = useState(useCameFromScreen());
  useEffect(() => {
    document.title = title;
    if (cameFromScreen) main.current?.focus();
  }, [title, cameFromScreen]);
  return (
    <Box as="main" ref={main} tabIndex={-1} aria-label={title} outline="none">
      <ErrorBoundary fallback={<ScreenError />}>
        <Suspense>{children}</Suspense>
      </ErrorBoundary>
    </Box>
  );
}

function ScreenError() {
  return (
    <Text role="alert" px="gutter" py="8" fontWeight="600">
      Could not load this page.{' '}
      <Link href="" variant="underline">
        Try again
      </Link>
    </Text>
  );
}

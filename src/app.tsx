import { chakra } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Route, Routes, useNavigationType } from 'react-router-dom';
import { LoginPage } from './auth/page.tsx';
import { DashboardPage } from './dashboard/page.tsx';
import { LazyInbox } from './inbox/lazy-page.tsx';
import { Toaster } from './ui/toast/toaster.tsx';
import { TooltipProvider } from './ui/tooltip.tsx';

/**
 * The screens behind the public page. Login and dashboard come in one file: apart they would save the other 4 kB at
 * most, and a dashboard left open while a new version is put up would not find its login any more.
 */
export function App() {
  return (
    <TooltipProvider>
      <Routes>
        <Route
          path="/admin"
          element={
            <Screen title="Admin Access">
              <LoginPage />
            </Screen>
          }
        />
        <Route
          path="/analytics"
          element={
            <Screen title="Analytics Dashboard">
              <DashboardPage />
            </Screen>
          }
        />
        <Route
          path="/analytics/messages"
          element={
            <Screen title="Messages">
              <LazyInbox />
            </Screen>
          }
        />
        <Route path="*" element={<NotAScreen />} />
      </Routes>
      <Toaster />
    </TooltipProvider>
  );
}

/** Whether another screen led here, rather than the browser itself. */
const useCameFromScreen = () => useNavigationType() !== 'POP';

/**
 * A path that is no screen is the server's to answer: the public page and the not-found page are
 * documents of their own, with scripts of their own.
 */
function NotAScreen() {
  const cameFromScreen = useCameFromScreen();
  useEffect(() => {
    if (cameFromScreen) window.location.reload();
  }, [cameFromScreen]);
  return null;
}

/** Names the screen in the tab, and takes the focus when another screen led here. */
function Screen({ title, children }: { title: string; children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const cameFromScreen = useCameFromScreen();
  useEffect(() => {
    document.title = title;
    if (cameFromScreen) main.current?.focus();
  }, [title, cameFromScreen]);
  return (
    <chakra.main ref={main} tabIndex={-1} aria-label={title} outline="none">
      {children}
    </chakra.main>
  );
}

/** Starts the single-page application behind /admin and /analytics. */
import { Global } from '@emotion/react';
import { StrictMode } from 'react';
import { preload } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { OwnerApi } from './admin/owner-api.tsx';
import { App } from './app.tsx';
import { AppProviders, styleCache } from './app-providers.tsx';
import { appFonts } from './theme/fonts.ts';
import { ignoreHeldEnter } from './ui/held-enter.ts';

// Preload the fonts before the first text renders.
for (const file of appFonts.files) {
  preload(file, { as: 'font', type: 'font/woff2', crossOrigin: '' });
}

ignoreHeldEnter();

const root = document.getElementById('root');

if (root) {
  // The back/forward cache would show the screen again, also after a Logout: hide it, and load it anew.
  addEventListener('pagehide', () => {
    root.hidden = true;
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  createRoot(root).render(
    <StrictMode>
      <AppProviders cache={styleCache()}>
        <Global styles={appFonts.faces} />
        {/* In a transition, the old screen would stay and send requests until the code of the next is loaded. */}
        <BrowserRouter useTransitions={false}>
          <OwnerApi>
            <App />
          </OwnerApi>
        </BrowserRouter>
      </AppProviders>
    </StrictMode>,
  );
}

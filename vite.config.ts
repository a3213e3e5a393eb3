import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { fieldLines } from './server/build/config/field-lines.ts';
import { configAtRunTime, siteBuild } from './server/build/site-build.ts';
import { developmentEnv, siteDev } from './server/build/site-dev.ts';
import { siteWords } from './server/build/site-words.ts';
import { subsetFonts } from './server/build/subset-fonts.ts';

export default defineConfig({
  appType: 'custom',
  plugins: [
    react(),
    subsetFonts(),
    siteBuild(),
    siteDev(),
    siteWords(),
    configAtRunTime(),
    fieldLines(),
  ],
  server: {
    port: Number(developmentEnv().PORT) || 3000,
    // On another port, the browser would still show the site that runs on this one.
    strictPort: true,
    // A build beside the development server writes here (`server/build/site-build.ts`).
    watch: { ignored: ['**/dist.next/**'] },
  },
});

import { createRoot } from 'react-dom/client';
import { Shell, styleCache } from './shell.tsx';

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <Shell cache={styleCache()}>
      <p>app</p>
    </Shell>,
  );

import { useEffect, useRef } from 'react';
import { expect, it } from 'vitest';
import { island } from './island.tsx';

it('mount resolves after the effects of the component, which a delayed submit depends on', async () => {
  const root = document.createElement('div');
  root.innerHTML = '<p></p>';
  let hasRunEffects = false;
  const { mount } = island('contact', function Component() {
    const paragraph = useRef<HTMLParagraphElement>(null);
    useEffect(() => {
      hasRunEffects = paragraph.current !== null;
    }, []);
    return <p ref={paragraph} />;
  });
  await mount(root);
  expect(hasRunEffects).toBe(true);
});

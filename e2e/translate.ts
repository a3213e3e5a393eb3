/** Runs in the page: translates it as Chrome does. Each text becomes two elements, also when the page changes. */
export const translate = () => {
  const isTranslated = ({ parentElement: parent }: Text) =>
    parent === null || parent.closest('font, script, style, textarea, code') !== null;
  const translateAll = () => {
    const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) found.push(texts.currentNode as Text);
    for (const text of found) {
      if (!text.data.trim() || isTranslated(text)) continue;
      const outer = document.createElement('font');
      outer.append(document.createElement('font'));
      // Another text for React, but not for Playwright, which ignores this character.
      outer.firstElementChild?.append(`${text.data}\u200b`);
      text.replaceWith(outer);
    }
  };
  const start = () => {
    translateAll();
    new MutationObserver(translateAll).observe(document.documentElement, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  };
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
  else start();
};

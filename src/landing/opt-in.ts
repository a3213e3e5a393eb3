/**
 * The script of a landing page with an opt-in script: adds that to the head once the page has loaded, and
 * removes it on `pagehide`. A page restored from the back/forward cache has its form still and gets the script
 * again, which browsers do not run twice.
 */
const template = document.querySelector<HTMLTemplateElement>('#opt-in');
const element = template?.content.firstElementChild;
const place = template?.nextElementSibling;

if (element && place) {
  const script = document.importNode(element as HTMLScriptElement);
  script.async = true;
  const add = () => document.head.append(script);

  // Some scripts insert their form where their tag is, but browsers show nothing of the head.
  const unseen = 'base, link, meta, noscript, script, style, template, title';
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLElement && !node.matches(unseen)) place.append(node);
    }
  }).observe(document.head, { childList: true });

  addEventListener('load', () => setTimeout(add));
  addEventListener('pagehide', () => script.remove());
  addEventListener('pageshow', ({ persisted }) => persisted && add());
}

// Without an import or export, TypeScript takes it for a script with global variables.
export {};

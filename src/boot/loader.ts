/**
 * The inline script of a prerendered page, which imports the boot script: after the first paint, so
 * that it does not compete with the content; immediately if the browser lacks invoker commands; and
 * again after three seconds, for browsers without paint timing and for failed requests. The retry uses
 * another URL, since some browsers (Chromium 143) cache a failed import.
 *
 * @param boot URL of the boot script
 */
export const bootLoader = (boot: string): string =>
  `{let n="",b=()=>import("${boot}"+n).catch(()=>n+="?");` +
  `"commandForElement"in HTMLButtonElement.prototype?` +
  `new PerformanceObserver(b).observe({type:"paint",buffered:!0}):b();setTimeout(b,3e3)}`;

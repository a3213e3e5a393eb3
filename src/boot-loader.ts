/**
 * The one line of script that stands in a prerendered page. It fetches the boot script once the page
 * is painted, so that nothing of ours competes with the words for the line or the processor; at once
 * where the browser's own buttons cannot open dialogs yet; and after three seconds whatever happens,
 * as not every browser tells of its paints and not every request arrives. A page whose boot script does not come works without it.
 *
 * @param boot address of the boot script
 */
export const bootLoader = (boot: string): string =>
  `{let b=()=>import("${boot}").catch(()=>0);` +
  `"commandForElement"in HTMLButtonElement.prototype?` +
  `new PerformanceObserver(b).observe({type:"paint",buffered:!0}):b();setTimeout(b,3e3)}`;

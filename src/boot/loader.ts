/**
 * The one line of script that stands in a prerendered page. It fetches the boot script once the page
 * is painted, so that nothing of ours competes with the words for the line or the processor; at once
 * where the browser's own buttons cannot open dialogs yet; and after three seconds whatever happens,
 * as not every browser tells of its paints and not every request arrives. One that is lost is asked for by
 * another address, since some browsers (Chromium 143) remember for good that this one failed. A page whose boot
 * script does not come works without it.
 *
 * @param boot address of the boot script
 */
export const bootLoader = (boot: string): string =>
  `{let n="",b=()=>import("${boot}"+n).catch(()=>n+="?");` +
  `"commandForElement"in HTMLButtonElement.prototype?` +
  `new PerformanceObserver(b).observe({type:"paint",buffered:!0}):b();setTimeout(b,3e3)}`;

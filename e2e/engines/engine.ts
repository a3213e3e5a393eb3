/** A browser driven by WebDriver, for the engines that Playwright drives only in builds of its own. */
import { existsSync } from 'node:fs';

export interface Engine {
  /** Opens a URL; resolves once the page has loaded. */
  open(url: string): Promise<void>;
  /** Resizes the window, to about this width where the browser cannot make it as small. */
  resize(width: number, height: number): Promise<void>;
  /** Runs a function in the page, which must use nothing but its arguments; resolves to its result. */
  evaluate<Args extends unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  /** Chooses files of this machine in an `input type=file`. */
  setFiles(selector: string, paths: string[]): Promise<void>;
  /** Closes the tab, without asking the page, and goes on in another one. */
  replaceTab(): Promise<void>;
  /** Performs the input actions of WebDriver, which have the same form in both of its protocols. */
  perform(actions: InputActions): Promise<void>;
  /** Errors and warnings of the console, and uncaught errors, of all pages so far. */
  consoleErrors(): Promise<string[]>;
  close(): Promise<void>;
}

/** Actions of one input device (W3C WebDriver, 15.3). */
interface InputActions {
  type: 'pointer' | 'key';
  id: string;
  actions: { type: string; [parameter: string]: string | number }[];
}

/** JavaScript that calls a function with these arguments and resolves to its result as JSON. */
export const callOf = (run: (...args: never[]) => unknown, args: unknown[]) =>
  `Promise.resolve((${run})(...${JSON.stringify(args)})).then((result) => JSON.stringify(result ?? null))`;

/** The path in an environment variable, or where Debian installs the program. Throws if it is missing. */
export function programOf(variable: string, debianPath: string, packages: string): string {
  const path = process.env[variable] ?? debianPath;
  if (existsSync(path)) return path;
  throw new Error(
    `There is no ${path}. On Debian, run "apt-get install ${packages}"; elsewhere, set ${variable}.`,
  );
}

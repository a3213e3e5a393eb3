/** Sets and clears connections, so that two browsers or instances that do so at once leave one of their results. */
import type { ReportedAct } from '../email/owner-notice.ts';
import { ApiError } from '../trpc/errors.ts';
import { changeOf, keepsPart, trialOf } from './changes.ts';
import { unreadableSentence } from './connections.ts';
import type { SetInput } from './inputs.ts';
import type { ConnectionServices, Trial } from './services.ts';
import type { ConnectionName, StoredValues } from './values.ts';

type Services = ConnectionServices['connections'];

/** The value before and after, and what the trial found. */
interface SetResult {
  before: StoredValues[ConnectionName];
  value: StoredValues[ConnectionName];
  hint: string | undefined;
  /** Whether this instance uses it. It tries again by itself, and logs why it cannot. */
  isInUse: boolean;
}

/**
 * Tries what the owner entered, stores it, and resolves once this instance uses it, or cannot: what was stored is
 * returned, since a new secret is told only once. Throws `VALIDATION` when the trial fails.
 */
export async function setConnection(
  connections: Services,
  input: SetInput,
  act: ReportedAct,
): Promise<SetResult> {
  const { name } = input;
  const change = changeOf(input);
  // Each round but the last follows a change by another browser or instance.
  for (;;) {
    const before = await connections.one(name);
    if (before.isUnreadable && keepsPart(input)) throw invalid(unreadableSentence([name]));
    const changed = change(before.value as never);
    // Such as a calendar that another browser has removed.
    if (changed === undefined && before.value === undefined) {
      return { before: undefined, value: undefined, hint: undefined, isInUse: true };
    }
    const tried = trialOf(input, changed);
    const trial: Trial =
      tried === undefined ? {} : await connections.try(name, tried, before.value);
    if (trial.problem !== undefined) throw invalid(trial.problem);
    const value = trial.adds ? ({ ...changed, ...trial.adds } as typeof changed) : changed;
    const isStored = await connections
      .replace(name, { before, value, act })
      .catch(async (error: unknown) => {
        // It may be stored all the same, when only the response of the database was lost.
        const { revision } = await connections.one(name);
        if (revision === before.revision) await trial.undo?.();
        throw error;
      });
    if (isStored) {
      const isInUse = await use(connections, name, act).then(
        () => true,
        () => false,
      );
      await trial.finish?.();
      return { before: before.value, value, hint: trial.hint, isInUse };
    }
    await trial.undo?.();
  }
}

/** Clears a connection. Resolves with its last value once this instance does not use it any more. */
export async function clearConnection(
  connections: Services,
  name: ConnectionName,
  act: ReportedAct,
): Promise<StoredValues[ConnectionName]> {
  for (;;) {
    const before = await connections.one(name);
    if (before.value === undefined && !before.isUnreadable) return undefined;
    if (!(await connections.replace(name, { before, value: undefined, act }))) continue;
    await use(connections, name, act);
    return before.value;
  }
}

async function use(connections: Services, name: ConnectionName, act: ReportedAct) {
  await connections.notify(name, act);
  await connections.apply();
}

const invalid = (message = '') =>
  new ApiError('VALIDATION', { issues: [{ path: 'value', message }] });

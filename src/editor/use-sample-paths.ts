import { trpc } from '../api/trpc.ts';

/** The paths of what the launch check takes for samples, on the live site. */
export function useSamplePaths(): string[] {
  const { data } = trpc.settings.launchCheck.useQuery();
  return (data?.checks ?? []).flatMap(({ findings }) =>
    findings.flatMap(({ kind, path }) => (kind === 'todo' && path !== undefined ? [path] : [])),
  );
}

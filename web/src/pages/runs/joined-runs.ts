/** The newest page of runs and what was shown before it: a run that newer ones pushed off the page stays in the list. */

export function joinedRuns<Run extends { readonly number: number }>(
  page: readonly Run[],
  shown: readonly Run[] = [],
): readonly Run[] {
  const last = page.at(-1)?.number ?? 0
  return [...page, ...shown.filter(({ number }) => number < last)]
}

/** The last runs of a Kustomization as its status tells them: equal ones are one entry that counts them. Pure. */
import type { JsonRecord } from '#model/json.ts'
import type { RunRecord } from '#model/store.ts'
import { timeText } from './conditions.ts'
import { defined } from '#model/defined.ts'

const most = 5

export function historyOf(
  runs: readonly RunRecord[],
  revisionOf: (commit: string) => string,
): readonly JsonRecord[] {
  const groups = new Map<string, RunRecord[]>()
  for (const run of runs) {
    if (run.outcome === undefined || run.endedAt === undefined || run.version === '') continue
    const key = `${run.hash} ${run.outcome}`
    groups.set(key, [...(groups.get(key) ?? []), run])
  }
  return [...groups.values()].slice(0, most).map((group) => entryOf(group, revisionOf))
}

/** Newest first. */
function entryOf(group: readonly RunRecord[], revisionOf: (commit: string) => string): JsonRecord {
  const last = defined(group[0])
  const first = defined(group.at(-1))
  const ended = last.endedAt ?? last.startedAt
  const isGood = last.outcome === 'succeeded'
  return {
    digest: `sha256:${last.hash}`,
    firstReconciled: timeText(first.endedAt ?? first.startedAt),
    lastReconciled: timeText(ended),
    lastReconciledDuration: `${((ended - last.startedAt) / 1000).toFixed(3)}s`,
    lastReconciledStatus: isGood ? 'ReconciliationSucceeded' : 'ReconciliationFailed',
    totalReconciliations: group.length,
    metadata: {
      revision: revisionOf(last.version),
      ...(last.isRolledBack ? { rolledBack: 'true' } : {}),
    },
  }
}

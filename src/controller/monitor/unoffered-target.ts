/** A target that this replica does not offer: it is not looked at from here, and nothing is sent there. */
import type { LoadedKind } from '#model/application-kind.ts'
import { Problem } from '#model/problem.ts'
import { createContainerRecords } from './container-records.ts'
import type { TargetMonitor } from './target-monitor.ts'

/** Whoever has to tell of an application there, because nobody offers it, says that it can't be reached. */
export function unofferedTarget(kind: LoadedKind, address: string, since: number): TargetMonitor {
  const problem = new Problem({
    type: 'runtime',
    code: 'unreachable',
    message: `no replica offers ${address}`,
    suggestion: `start one with --offer ${kind.engines[0]}=${address}, where that can be reached`,
    recoverable: true,
  })
  return {
    kind,
    records: createContainerRecords(),
    isOffered: false,
    address: () => address,
    problem: () => problem,
    since: () => since,
    listing: () => undefined,
    epoch: () => 0,
    changes: () => 0,
    connection() {
      throw problem
    },
    look: async () => undefined,
    keep: async () => undefined,
    close: () => undefined,
  }
}

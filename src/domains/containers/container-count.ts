/** How many containers of an application run, of those that are to run. Pure. */
import type { ListedHealth } from '#model/connection.ts'
import type { ContainerCount } from '#model/container-count.ts'
import { isCompleted } from './health.ts'

/** `all`: whatever is there; `listed`: what is declared of it. */
export function countOf(
  all: ContainerCount = { running: 0, total: 0 },
  listed: readonly Pick<ListedHealth, 'state' | 'isOneShot' | 'exitCode'>[] = [],
): ContainerCount {
  const completed = listed.filter(isCompleted).length
  return completed === 0 ? all : { ...all, total: all.total - completed, completed }
}

/** Names who keeps a network or a volume that was to go: engines say only that someone does, or give an id. */
import { listContainers, type ListedContainer } from '#clients/docker/container-list.ts'
import { factsOf, Problem } from '#model/problem.ts'
import type { Job } from './job.ts'

export async function removing(
  { docker, context }: Job,
  remove: () => Promise<unknown>,
  isHolder: (container: ListedContainer) => boolean,
  advice: (holder: string) => string,
): Promise<void> {
  try {
    await remove()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'in_use') throw error
    // only the names are missing from the message
    const all = await listContainers(docker, [], context.signal).catch(() => [])
    const holders = all.filter(isHolder).map(({ name }) => name)
    const [first] = holders
    if (first === undefined) throw error
    throw new Problem({
      ...factsOf(error),
      message: `${error.message.split(': ')[0]}: container ${holders.join(', ')} uses it`,
      suggestion: advice(first),
      cause: error,
    })
  }
}

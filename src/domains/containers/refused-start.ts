/** What was made and is then refused its first start does not stay: nobody would ever start it. */
import { Problem } from '#model/problem.ts'
import type { ContainerEngine, InspectedContainer } from '#model/container-engine.ts'
import type { Context } from '#model/domain.ts'
import type { Confinement } from './confinement.ts'
import type { EngineMemory } from './memory.ts'
import { recordLabel } from './record.ts'

type Job = {
  readonly engine: Pick<ContainerEngine, 'removeContainer'> & {
    inspectContainer(
      name: string,
      signal: AbortSignal,
    ): Promise<Pick<InspectedContainer, 'id' | 'labels' | 'state'> | undefined>
  }
  readonly memory: Pick<EngineMemory, 'made'>
  readonly confinement?: Pick<Confinement, 'owner'>
  readonly context: Pick<Context, 'signal'>
}

/** `name`: of the container, or its id. One that ran before is kept, whatever is said of it now. */
export async function removingRefused(
  { engine, memory, confinement, context }: Job,
  name: string,
  check: () => Promise<void>,
): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'denied') throw error
    const found = await engine.inspectContainer(memory.made.get(name) ?? name, context.signal)
    const isOwn = found?.labels[recordLabel.owner] === confinement?.owner
    const isNew = found !== undefined && ['created', 'configured'].includes(found.state)
    if (isNew && isOwn) {
      const removal = { seconds: 0, withVolumes: true }
      await engine.removeContainer(found.id, removal, context.signal)
    }
    throw error
  }
}

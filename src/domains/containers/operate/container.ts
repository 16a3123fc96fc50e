/** Containers: moved from state to state, and removed. */
import type { Outputs } from '#model/domain.ts'
import { untilDrained } from '../drain.ts'
import { isOthers } from '../only-own.ts'
import { numberIn, textIn } from '../payload.ts'
import type { EngineJob, OperationHandler } from './job.ts'

/** `withVolumes`: whether volumes without a name go with a container. */
export function containerVerbs(withVolumes: boolean) {
  return {
    'container.stop': stop,
    'container.unpause': unpause,
    'container.drain': drain,
    'container.rename': rename,
    'container.remove': (job) => remove(job, withVolumes),
  } as const satisfies Record<string, OperationHandler<EngineJob>>
}

async function stop(job: EngineJob): Promise<Outputs> {
  const { engine, context } = job
  await engine.stopContainer(textIn(job, 'name'), numberIn(job, 'seconds'), context.signal)
  return {}
}

/** On another machine, where its connections can't be seen, it gets a moment for those who are on their way. */
async function drain(job: EngineJob): Promise<Outputs> {
  const { engine, memory, context } = job
  const name = textIn(job, 'name')
  const isNamed = memory.stillNamed.delete(name)
  const found = await engine.inspectContainer(name, context.signal)
  if (found?.isRunning !== true) return {}
  const pid = engine.isLocal ? found.pid : 0
  await untilDrained(pid, numberIn(job, 'seconds'), isNamed, context.signal)
  return {}
}

async function unpause(job: EngineJob): Promise<Outputs> {
  await job.engine.unpauseContainer(textIn(job, 'name'), job.context.signal)
  return {}
}

/** Fine when it is called so already: by an earlier attempt, or because it never got its other name. */
async function rename(job: EngineJob): Promise<Outputs> {
  const { engine, context } = job
  const { signal, attempt } = context
  const [name, to] = [textIn(job, 'name'), textIn(job, 'to')]
  try {
    await engine.renameContainer(name, to, signal)
  } catch (error) {
    const found =
      (await engine.inspectContainer(name, signal)) ??
      (attempt > 1 ? await engine.inspectContainer(to, signal) : undefined)
    if (found?.name !== to) throw error
  }
  return {}
}

/** With time to end. `unless`: the one that must stay, should it have the name. */
async function remove(job: EngineJob, withVolumes: boolean): Promise<Outputs> {
  const { engine, context, payload } = job
  const name = textIn(job, 'name')
  if (typeof payload['unless'] === 'string' || typeof payload['owner'] === 'string') {
    const found = await engine.inspectContainer(name, context.signal)
    if (found === undefined || found.id === payload['unless']) return {}
    if (found.id !== name && isOthers(payload, found.labels)) return {}
  }
  const removal = { seconds: numberIn(job, 'seconds'), withVolumes }
  await engine.removeContainer(name, removal, context.signal)
  return {}
}

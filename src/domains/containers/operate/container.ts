/** Containers: moved from state to state, and removed. */
import type { Outputs } from '#model/domain.ts'
import { untilDrained } from '../drain.ts'
import { numberIn, textIn } from '../payload.ts'
import { forgetName, noteName } from './by-id.ts'
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
  const { engine, memory, context } = job
  const [id, to] = [textIn(job, 'name'), textIn(job, 'to')]
  try {
    await engine.renameContainer(id, to, context.signal)
  } catch (error) {
    const found = await engine.inspectContainer(id, context.signal)
    if (found?.name !== to) throw error
  }
  noteName(memory, id, to)
  return {}
}

/** With time to end. `unless`: the one that must stay, should it have the name. */
async function remove(job: EngineJob, withVolumes: boolean): Promise<Outputs> {
  const { engine, memory, context, payload } = job
  const id = textIn(job, 'name')
  if (id === payload['unless']) return {}
  const removal = { seconds: numberIn(job, 'seconds'), withVolumes }
  await engine.removeContainer(id, removal, context.signal)
  forgetName(memory, id)
  return {}
}

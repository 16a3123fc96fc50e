/** Calls go to a container by its id: its name may be somebody else's by the time that the call is made. */
import type { Outputs } from '#model/domain.ts'
import { factsOf, Problem } from '#model/problem.ts'
import type { EngineMemory } from '../memory.ts'
import { isOthers } from '../only-own.ts'
import { textIn } from '../payload.ts'
import type { EngineJob, OperationHandler } from './job.ts'

/** Verbs on a container that is there, with the field that says which. A plan has the id, or the name of one that it makes itself. */
const fields: Readonly<Record<string, 'name' | 'container'>> = {
  'container.drain': 'name',
  'container.files': 'name',
  'container.hook': 'name',
  'container.remove': 'name',
  'container.rename': 'name',
  'container.restart': 'name',
  'container.start': 'name',
  'container.stop': 'name',
  'container.unpause': 'name',
  'container.update': 'name',
  'network.connect': 'container',
  'network.disconnect': 'container',
  'network.unname': 'container',
}

/** Carries out a verb with the id in place of the name; whoever reads a refusal sees the name all the same. */
export async function byId<Job extends EngineJob>(
  verb: string,
  job: Job,
  work: OperationHandler<Job>,
): Promise<Outputs> {
  const field = fields[verb]
  if (field === undefined) return work(job)
  const name = textIn(job, field)
  const id = isId(name) ? name : (job.memory.made.get(name) ?? (await ownCalled(job, name)))
  if (id === undefined && verb === 'container.remove') return {}
  if (id === undefined) throw notMade(name)
  const { called = name } = job.payload
  try {
    return await work({ ...job, payload: { ...job.payload, [field]: id } })
  } catch (error) {
    if (!(error instanceof Problem) || typeof called !== 'string' || called === id) throw error
    const facts = factsOf(error)
    throw new Problem({ ...facts, message: facts.message.replaceAll(id, called), cause: error })
  }
}

function isId(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** On the way back: what an attempt made whose answer never came. */
async function ownCalled(
  { engine, payload, context }: EngineJob,
  name: string,
): Promise<string | undefined> {
  if (payload['owner'] === undefined) return undefined
  const found = await engine.inspectContainer(name, context.signal)
  return found === undefined || isOthers(payload, found.labels) ? undefined : found.id
}

function notMade(name: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'gone',
    message: `this run made no container ${name}: what is called so now is somebody else's, and stays as it is`,
    suggestion: 'run it again: what is there is looked at anew',
    recoverable: true,
  })
}

/** The container has this name from now on, and no other. */
export function noteName({ made }: EngineMemory, id: string, name: string): void {
  forgetName({ made }, id)
  made.set(name, id)
}

export function forgetName({ made }: Pick<EngineMemory, 'made'>, id: string): void {
  for (const [name, one] of made) if (one === id) made.delete(name)
}

/** What images bring along is repeated for each container in every list of an engine, so it counts as what a file writes does. */
import type { ImageLoad } from '#model/container-engine.ts'
import { Problem } from '#model/problem.ts'
import { kindOf } from '#model/ref.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import type { Resource } from '#model/resource.ts'
import type { EngineMemory } from './memory.ts'
import type { EngineJob } from './operate/job.ts'

/** As for what a file writes: letters of one image, and of all containers of an application. */
const mostLetters = 256_000
const mostLettersOfAll = 4_000_000
/** A thousand containers of an image that has fewer are within the limit: such images are not counted. */
const lightLetters = 4_000

/** A new look: how many containers the application is to have of each image, and none is known to be too heavy. */
export function noteCounts(
  { counts, tooHeavy }: EngineMemory,
  owner: string,
  wanted: readonly Resource[],
): void {
  const images = new Map<string, number>()
  for (const { ref, spec } of wanted) {
    if (kindOf(ref) !== 'container') continue
    const image = textOf(recordOf(spec)['image'])
    images.set(image, (images.get(image) ?? 0) + 1)
    tooHeavy.delete(`${owner} ${image}`)
  }
  if (images.size > 0) counts.set(owner, images)
}

/** Many containers of one image ask for it: it is got once, and refused once. */
export function assertNotKnownHeavy({ memory, confinement }: EngineJob, image: string): void {
  const known = confinement && memory.tooHeavy.get(`${confinement.owner} ${image}`)
  if (known !== undefined) throw known
}

/** Before anything is made of it. By hand everything may be run. `id`: of the image that is meant, where it was not looked at yet. */
export async function assertNotTooHeavy(job: EngineJob, image: string, id?: string): Promise<void> {
  const { engine, memory, confinement, context } = job
  if (confinement === undefined) return
  const { owner } = confinement
  const own = await loadOf(image, id)
  if (own.letters > mostLetters) {
    const letters = `its labels, variables, volumes and commands have ${own.letters} letters`
    throw refused(`${letters}, more than ${mostLetters}`)
  }
  if (isLight(own)) return
  const counts = new Map(memory.counts.get(owner) ?? [])
  if (!counts.has(image)) counts.set(image, 1)
  let letters = 0
  for (const [name, count] of counts) {
    const load = name === image ? own : await loadOf(name)
    letters += isLight(load) ? 0 : count * (load.letters + load.ofPorts)
  }
  if (letters <= mostLettersOfAll) return
  const many = `of the ${counts.get(image)} containers that are to have it`
  const what = `labels, variables, volumes, commands and exposed ports ${many}, with those of the application's other images, have ${letters} letters`
  throw refused(`${what}, more than ${mostLettersOfAll}`)

  async function loadOf(
    name: string,
    of = memory.looked.get(`${owner} ${name}`),
  ): Promise<ImageLoad> {
    const known = of === undefined ? undefined : memory.loads.get(of)
    if (known !== undefined) return known
    const found = await engine.inspectImage(of ?? name, context.signal)
    if (found === undefined) return { letters: 0, ofPorts: 0 }
    memory.loads.set(found.id, found.load)
    return found.load
  }

  function refused(why: string): Problem {
    const problem = tooHeavy(image, why)
    memory.tooHeavy.set(`${owner} ${image}`, problem)
    return problem
  }
}

function isLight({ letters, ofPorts }: ImageLoad): boolean {
  return letters + ofPorts <= lightLetters
}

function tooHeavy(image: string, why: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'denied',
    message: `image ${image} is too heavy for lists of containers: ${why}`,
    suggestion:
      'put long texts into files of the image, expose fewer ports, scale it down, or use another image',
  })
}

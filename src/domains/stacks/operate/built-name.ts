/** Under which names a followed application may build: an image is what its name means to everybody on the engine. */
import { listContainers, type ListedContainer } from '#clients/docker/container-list.ts'
import { listVolumes } from '#clients/docker/volumes.ts'
import type { Confinement } from '#domains/containers/confinement.ts'
import { isAllowed, otherBuilder } from '#domains/containers/image-builder.ts'
import { recordedOf, type Labels } from '#domains/containers/record.ts'
import type { InspectedImage } from '#model/container-engine.ts'
import type { Ask } from '#model/policy.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import { candidatesOf, plainId } from '../image-name.ts'
import { label } from '../labels.ts'
import { markersIn } from '../marker.ts'
import { whoseName } from '../observe/names-of-others.ts'
import type { Job } from './job.ts'

/** Of the service: the image that it has by itself. */
type Usual = { readonly project: string; readonly image: string }

/** Throws where the name is another's. By hand every name may be taken, as docker compose does it. */
export async function assertOwnName(job: Job, name: string, usual: Usual): Promise<void> {
  const { engine, confinement, context } = job
  if (confinement === undefined) return
  const found = await engine.inspectImage(name, context.signal)
  if (found !== undefined && isOwnBuild(confinement, found.labels)) return
  const whose = await whoseIs(job, confinement, name, found, usual)
  if (whose !== undefined) isAllowed(job, askForName(name, whose))
}

/** Its label says so. */
function isOwnBuild(confinement: Confinement, labels: Labels): boolean {
  return labels['tend/builder'] !== undefined && otherBuilder(confinement, labels) === undefined
}

function askForName(name: string, whose: string): Ask {
  return {
    rule: 'externalImages',
    what: `building under the name ${name}, ${whose},`,
    share: `image/${name}`,
    instead: 'give the image another name, or none',
  }
}

async function whoseIs(
  { docker, context }: Job,
  confinement: Confinement,
  name: string,
  found: InspectedImage | undefined,
  usual: Usual,
): Promise<string | undefined> {
  const builder = found && otherBuilder(confinement, found.labels)
  if (builder !== undefined) return `which is that of an image that was built for ${builder}`
  const named = name === usual.image ? undefined : whoseName(confinement, localName(name))
  if (named !== undefined) return `which is a name of ${named}`
  const { signal } = context
  const containers = await listContainers(docker, [], signal)
  const users = containers.filter((one) => isUser(one, name, found))
  const adopted = markersIn(await listVolumes(docker, [], signal)).get(confinement.owner)?.adopted
  const isOwn = ({ id, labels }: ListedContainer): boolean =>
    labels[label.owner] === confinement.owner || adopted?.has(`container ${id}`) === true
  const other = users.find((one) => !isOwn(one))
  if (other !== undefined) return `which the container ${other.name} uses`
  // made before builds were signed, by docker compose, or pulled
  const isFree =
    found === undefined ||
    users.length > 0 ||
    name === usual.image ||
    found.labels[label.project] === usual.project
  return isFree ? undefined : 'which is that of an image that is there and was not built for it'
}

/** By the image that it was made of, or by the name that it was made with. */
function isUser(
  { image, imageId, labels }: ListedContainer,
  name: string,
  found: InspectedImage | undefined,
): boolean {
  if (found !== undefined && plainId(imageId) === found.id) return true
  const recorded = textOf(recordOf(recordedOf(labels)?.spec)['image'])
  return isSameName(image, name) || (recorded !== '' && isSameName(recorded, name))
}

/** Without the registry that engines take for granted: what an application builds by itself is called `project-service`. */
function localName(image: string): string {
  return plainName(image).replace(/^(localhost|docker\.io\/library|docker\.io|library)\//, '')
}

/** However the registry of Docker is written. */
export function isSameName(one: string, other: string): boolean {
  const names = new Set(candidatesOf(plainName(one)))
  return candidatesOf(plainName(other)).some((name) => names.has(name))
}

function plainName(image: string): string {
  return image.replace(/^(index|registry-1)\.docker\.io\//, 'docker.io/')
}

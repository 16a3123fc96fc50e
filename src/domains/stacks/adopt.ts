/** Takes over a stack that docker compose started, without making anew what already is as it should be. */
import type { Docker } from '#clients/docker/client.ts'
import { listContainers, type ListedContainer } from '#clients/docker/container-list.ts'
import { listNetworks, type ListedNetwork } from '#clients/docker/networks.ts'
import { listVolumes, type ListedVolume } from '#clients/docker/volumes.ts'
import { ownerLabels, recordLabels, type Labels } from '#domains/containers/record.ts'
import type { Identity } from '#model/application.ts'
import type { Rendered } from '#model/domain.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { Adopted } from './adopted.ts'
import { otherFile } from './adopt-files.ts'
import { label } from './labels.ts'
import { readMarkers, writeMarker } from './marker.ts'
import { settledRecord } from './record.ts'
import type { ServiceSpec } from './spec.ts'
import { networkSpecOf, serviceSpecOf, volumeSpecOf } from './spec-of.ts'

export type Adoption = {
  /** Taken over as they are. */
  readonly matching: readonly Ref[]
  /** Taken over, and made anew by the next run, with the reason. */
  readonly differing: readonly Differing[]
}

export type Differing = { readonly ref: Ref; readonly why: string }

/** Only what nobody else owns. The run that follows sees it as its own. */
export async function adoptStack(
  docker: Docker,
  rendered: Rendered,
  identity: Identity,
  at: number,
  signal: AbortSignal,
): Promise<Adoption> {
  const { adopted, ...adoption } = await adoptable(docker, rendered, identity, signal)
  if (adopted.size > 0) await mark(docker, identity, adopted, at, signal)
  return adoption
}

/** What would be taken over, and the labels that it would have then. */
export async function adoptable(
  docker: Docker,
  rendered: Rendered,
  identity: Identity,
  signal: AbortSignal,
): Promise<Adoption & { readonly adopted: Adopted }> {
  const [containers, networks, volumes, markers] = await Promise.all([
    listContainers(docker, [], signal),
    listNetworks(docker, [], signal),
    listVolumes(docker, [], signal),
    readMarkers(docker, signal),
  ])
  const found = new Map<Ref, Candidate>()
  for (const resource of rendered.resources) {
    const candidate = candidateFor(resource, { containers, networks, volumes })
    if (candidate === undefined) continue
    const { id, why } = candidate
    const isSettled = why !== undefined || kindOf(resource.ref) !== 'container'
    const other = isSettled
      ? why
      : await otherFile(docker, id, serviceSpecOf(resource.spec), rendered.vault, signal)
    found.set(resource.ref, { ...candidate, why: other })
  }
  const ids = new Map([...found].map(([ref, { id }]) => [ref, id]))
  const adopted = new Map<string, Labels>(markers.get(identity.owner)?.adopted)
  for (const resource of rendered.resources) {
    const candidate = found.get(resource.ref)
    if (candidate === undefined) continue
    const record = settledRecord(resource.spec, rendered.vault, ids)
    adopted.set(`${kindOf(resource.ref)} ${candidate.id}`, {
      ...ownerLabels(identity, resource.ref, resource.needs),
      ...(candidate.why === undefined ? recordLabels(record) : {}),
    })
  }
  const all = [...found]
  return {
    adopted: found.size > 0 ? adopted : new Map(),
    matching: all.flatMap(([ref, { why }]) => (why === undefined || isKept(ref) ? ref : [])),
    differing: all.flatMap(([ref, { why }]) =>
      why === undefined || isKept(ref) ? [] : { ref, why },
    ),
  }
}

/** A volume's data is worth more than its options. */
function isKept(ref: Ref): boolean {
  return kindOf(ref) === 'volume'
}

async function mark(
  docker: Docker,
  { owner, revision }: Identity,
  adopted: Adopted,
  at: number,
  signal: AbortSignal,
): Promise<void> {
  await writeMarker(docker, { owner, revision, hash: '', at, outcome: undefined, adopted }, signal)
}

type Candidate = {
  readonly id: string
  /** Why it can't stay as it is; undefined when it can. */
  readonly why: string | undefined
}

type Lists = {
  readonly containers: readonly ListedContainer[]
  readonly networks: readonly ListedNetwork[]
  readonly volumes: readonly ListedVolume[]
}

function candidateFor(resource: Resource, lists: Lists): Candidate | undefined {
  switch (kindOf(resource.ref)) {
    case 'container':
      return containerFor(resource, lists.containers)
    case 'network':
      return networkFor(resource, lists.networks)
    default:
      return volumeFor(resource, lists.volumes)
  }
}

/** The hash says that it was made from the same words. What it was given as files is no part of that hash. */
function containerFor(
  { spec }: Resource,
  containers: readonly ListedContainer[],
): Candidate | undefined {
  const { object, about } = serviceSpecOf(spec)
  const found = containers.find(
    ({ labels }) =>
      isFree(labels) &&
      labels[label.project] === about.project &&
      labels[label.service] === about.service &&
      labels[label.number] === String(about.number) &&
      labels[label.oneOff] !== 'True',
  )
  if (found === undefined) return undefined
  const hashes: readonly (string | undefined)[] = [about.configHash, ...(about.otherHashes ?? [])]
  const isSame = hashes.includes(found.labels[label.configHash])
  const isNamed = found.name === object
  if (!isSame) return { id: found.id, why: otherWords(found.labels[label.configFiles], about) }
  return { id: found.id, why: isNamed ? undefined : `it is called ${found.name}` }
}

/** Its hash is another: because it came of other files, or because the same ones say something else by now. */
function otherWords(files: string | undefined, { configFiles }: ServiceSpec['about']): string {
  const isOther = files !== undefined && files !== '' && files !== configFiles
  return isOther
    ? `its configuration is another: it was made from ${files}`
    : 'the file, or a variable in it, said something else when it was made'
}

function networkFor({ spec }: Resource, networks: readonly ListedNetwork[]): Candidate | undefined {
  const { object, about, isExternal, driver, ipam, isInternal } = networkSpecOf(spec)
  if (isExternal) return undefined
  const found = networks.find(
    ({ name, labels }) =>
      name === object && isFree(labels) && labels[label.project] === about.project,
  )
  if (found === undefined) return undefined
  const subnets = found.subnets.map(({ subnet }) => subnet)
  const isMatching =
    found.driver === (driver ?? 'bridge') &&
    found.isInternal === (isInternal ?? false) &&
    (ipam?.pools ?? []).every(({ subnet }) => subnet === undefined || subnets.includes(subnet))
  return { id: found.id, why: isMatching ? undefined : 'it was made with other options' }
}

function volumeFor({ spec }: Resource, volumes: readonly ListedVolume[]): Candidate | undefined {
  const { object, about, isExternal, driver } = volumeSpecOf(spec)
  const found = volumes.find(
    ({ name, labels }) =>
      !isExternal && name === object && isFree(labels) && labels[label.project] === about.project,
  )
  if (found === undefined) return undefined
  const isMatching = found.driver === (driver ?? 'local')
  return { id: found.name, why: isMatching ? undefined : `its driver is ${found.driver}` }
}

function isFree(labels: Labels): boolean {
  return labels[label.owner] === undefined
}

/** Takes over a stack that docker compose started, without making anew what already is as it should be. */
import type { Docker } from '#clients/docker/client.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { listContainers, type ListedContainer } from '#clients/docker/container-list.ts'
import { listNetworks, type ListedNetwork } from '#clients/docker/networks.ts'
import { listVolumes, type ListedVolume } from '#clients/docker/volumes.ts'
import { joinedHash } from '#formats/compose/canonical/joined-hash.ts'
import { ownerLabels, recordLabels, type Labels } from '#domains/containers/record.ts'
import type { Identity } from '#model/application.ts'
import type { Adoption, AdoptionWish } from '#model/connection.ts'
import type { Rendered } from '#model/domain.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Resource } from '#model/resource.ts'
import type { Vault } from '#model/vault.ts'
import type { Adopted } from './adopt-labels.ts'
import { otherFields } from './adopt-fields.ts'
import { otherFile } from './adopt-files.ts'
import { knownIds, label } from './labels.ts'
import { readMarkers, writeMarker } from './marker.ts'
import { settledRecord } from './record.ts'
import type { ServiceSpec } from './spec.ts'
import { networkSpecOf, serviceSpecOf, volumeSpecOf } from './spec-of.ts'

/** Only what nobody else owns. The run that follows sees it as its own. */
export async function adoptStack(
  docker: Docker,
  rendered: Rendered,
  identity: Identity,
  { at, which }: AdoptionWish,
  signal: AbortSignal,
): Promise<Adoption & { readonly adopted: Adopted | undefined }> {
  const found = await adoptable(docker, rendered, identity, which, signal)
  if (at !== undefined && found.adopted !== undefined) {
    await mark(docker, identity, found.adopted, at, signal)
  }
  return found
}

/** What would be taken over, and the labels that it would have then; undefined: nothing is there to be taken over. */
async function adoptable(
  docker: Docker,
  rendered: Rendered,
  identity: Identity,
  which: AdoptionWish['which'],
  signal: AbortSignal,
): Promise<Adoption & { readonly adopted: Adopted | undefined }> {
  const [containers, networks, volumes, markers] = await Promise.all([
    listContainers(docker, [], signal),
    listNetworks(docker, [], signal),
    listVolumes(docker, [], signal),
    readMarkers(docker, signal),
  ])
  const candidates = rendered.resources.flatMap((resource) => {
    const candidate = candidateFor(resource, { containers, networks, volumes })
    return candidate === undefined ? [] : [[resource, candidate] as const]
  })
  const ids = new Map(candidates.map(([{ ref }, { id }]) => [ref, id]))
  const found = new Map<Ref, Candidate>()
  for (const [resource, candidate] of candidates) {
    const why =
      kindOf(resource.ref) === 'container'
        ? await otherContainer(docker, candidate, resource, { vault: rendered.vault, ids }, signal)
        : candidate.why
    found.set(resource.ref, { ...candidate, why })
  }
  const before = new Map<string, Labels>(markers.get(identity.owner)?.adopted)
  const adopted = stillThere(before, { containers, networks, volumes })
  let isAny = false
  for (const resource of rendered.resources) {
    const candidate = found.get(resource.ref)
    if (candidate === undefined) continue
    const isLeft = which === 'matching' && candidate.why !== undefined && !isKept(resource.ref)
    if (isLeft) continue
    isAny = true
    const record = settledRecord(resource.spec, rendered.vault, ids)
    adopted.set(`${kindOf(resource.ref)} ${candidate.id}`, {
      ...ownerLabels(identity, resource.ref, resource.needs),
      ...(candidate.why === undefined ? recordLabels(record) : { [label.differs]: candidate.why }),
    })
  }
  const all = [...found]
  return {
    adopted: isAny ? adopted : undefined,
    matching: all.flatMap(([ref, { why }]) => (why === undefined || isKept(ref) ? ref : [])),
    differing: all.flatMap(([ref, { why }]) =>
      why === undefined || isKept(ref) ? [] : { ref, why },
    ),
  }
}

/** What was taken over earlier and is gone by now is remembered no more. */
function stillThere(
  adopted: ReadonlyMap<string, Labels>,
  { containers, networks, volumes }: Lists,
): Map<string, Labels> {
  const there = new Set([
    ...containers.map(({ id }) => `container ${id}`),
    ...networks.map(({ id }) => `network ${id}`),
    ...volumes.map(({ name }) => `volume ${name}`),
  ])
  return new Map([...adopted].filter(([key]) => there.has(key)))
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
  /** Of a container. */
  readonly labels?: Labels
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
  const why = found.name === object ? undefined : `it is called ${found.name}`
  return { id: found.id, why, labels: found.labels }
}

/** Undefined: it can stay as it is. */
async function otherContainer(
  docker: Docker,
  { id, why, labels = {} }: Candidate,
  { spec }: Resource,
  { vault, ids }: { readonly vault: Vault; readonly ids: ReadonlyMap<Ref, string> },
  signal: AbortSignal,
): Promise<string | undefined> {
  const wanted = serviceSpecOf(spec)
  const { about } = wanted
  const hashes: readonly (string | undefined)[] = [
    about.configHash,
    ...(about.otherHashes ?? []),
    ...joinedHashes(about, vault, ids),
  ]
  if (!hashes.includes(labels[label.configHash])) {
    const inspected = await inspectContainer(docker, id, signal)
    return otherWords(labels[label.configFiles], about, otherFields(inspected, wanted, vault))
  }
  return why ?? (await otherFile(docker, id, wanted, vault, signal))
}

/** Of one that uses something of another container: with the ids of those that are there. */
function joinedHashes(
  { joined }: ServiceSpec['about'],
  vault: Vault,
  ids: ReadonlyMap<Ref, string>,
): readonly string[] {
  if (joined === undefined) return []
  const known = Object.entries(joined.ids).map(([service, id]) => {
    return [service, typeof id === 'string' ? id : (ids.get(id.from) ?? id)] as const
  })
  const named = knownIds(Object.fromEntries(known))
  return joined.texts.map((text) => joinedHash(new TextDecoder().decode(vault.open(text)), named))
}

/** The hash of the container differs: it was made from other files, or the same files say something else by now. */
function otherWords(
  files: string | undefined,
  { configFiles }: ServiceSpec['about'],
  fields: readonly string[],
): string {
  const isOther = files !== undefined && files !== '' && files !== configFiles
  const from = isOther ? `: it was made from ${files}` : ''
  if (fields.length > 0) return `it was made with another ${fields.join(', ')}${from}`
  return isOther
    ? `its configuration is another${from}`
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

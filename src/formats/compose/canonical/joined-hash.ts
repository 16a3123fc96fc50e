/** Hashes of services that use the namespaces or volumes of another container: the reference puts that container's id into them. */
import { createHash } from 'node:crypto'
import { hashedText } from './config-hash.ts'
import type { Project } from '../project.ts'
import type { Release } from './release.ts'
import type { Service } from '../schema/file.ts'

const modes = ['network_mode', 'ipc', 'pid'] as const

/** By service, of those that do: what is hashed, with a mark in the place of each id. */
export function joinedTexts(
  project: Project,
  defaultPlatform: string | undefined,
  release: Release,
): Readonly<Record<string, string>> {
  const texts = Object.entries(project.services).flatMap(([name, service]) => {
    const marked = withMarks(service)
    return marked === undefined
      ? []
      : [[name, hashedText(name, marked, defaultPlatform, release)] as const]
  })
  return Object.fromEntries(texts)
}

/** `ids`: by service, of its first container. One that is not known leaves its mark, and so a hash that nothing has. */
export function joinedHash(text: string, ids: Readonly<Record<string, string>>): string {
  const filled = Object.entries(ids).reduce(
    (sofar, [service, id]) => sofar.replaceAll(markOf(service), id),
    text,
  )
  return createHash('sha256').update(filled).digest('hex')
}

function markOf(service: string): string {
  return `(the id of ${service})`
}

/** Undefined: it uses nothing of another. */
function withMarks(service: Service): Service | undefined {
  const joined = modes.flatMap((field) => {
    const [, other] = /^service:(.+)$/.exec(service[field] ?? '') ?? []
    return other === undefined ? [] : [[field, `container:${markOf(other)}`] as const]
  })
  const volumes = (service.volumes_from ?? []).map(volumesOf)
  if (joined.length === 0 && volumes.length === 0) return undefined
  const own = volumes.length === 0 ? {} : { volumes_from: volumes }
  return { ...service, ...Object.fromEntries(joined), ...own }
}

/** `x`, `x:ro`, `container:name`. Whether it may be written is lost there too. */
function volumesOf(entry: string): string {
  const [first = '', second = ''] = entry.split(':')
  return first === 'container' ? second : markOf(first)
}

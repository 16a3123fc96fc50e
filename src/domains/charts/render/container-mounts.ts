/** What is mounted into a container: volumes, folders in memory, secrets' files, each on a path of its own. */
import type { YamlPath } from '#formats/yaml/find-node.ts'
import type { Need } from '#model/resource.ts'
import type { ChartContext } from './chart-context.ts'
import { compact } from './compact.ts'
import type { Declaration } from './declaration.ts'
import { memoryQuantity } from './quantities.ts'
import { findDeclared } from './references.ts'
import type { VolumeMountData } from './schema/container-parts.ts'
import { bad } from '#formats/schema/rule.ts'
import type { MountSpec } from '../spec.ts'
import { volumeSource } from './volume-spec.ts'

export type Mounted = { readonly mounts: readonly MountSpec[]; readonly needs: readonly Need[] }

/** Takes a path inside the container, once. */
export type Claim = (target: string, path: YamlPath, what: string) => void

export function claims(container: Declaration<'container'>): Claim {
  const taken = new Map<string, string>()
  return (target, path, what) => {
    const other = taken.get(target)
    if (other === undefined) taken.set(target, what)
    else {
      const message = `${target} is taken by ${other} already`
      container.report(path, {
        code: 'mount_twice',
        message,
        suggestion: 'mount one of them elsewhere',
      })
    }
  }
}

export function containerMounts(
  container: Declaration<'container'>,
  context: ChartContext,
  claim: Claim,
): Mounted {
  const mounts: MountSpec[] = []
  const needs: Need[] = []
  for (const [index, use] of (container.data.volumes ?? []).entries()) {
    const volume = findDeclared(context, container, ['volumes', index, 'name'], 'volume', use.name)
    const target = targetOf(container, context, use, index)
    if (volume === undefined) continue
    needs.push({ ref: volume.ref, until: 'exists', renew: true })
    if (target === undefined) continue
    claim(target, ['volumes', index, 'mountPath'], `the volume ${use.name}`)
    mounts.push(mountOf(volume, use, target, context))
  }
  for (const [index, entry] of (container.data.tmpfs ?? []).entries()) {
    const { mountPath, sizeLimit } = typeof entry === 'string' ? { mountPath: entry } : entry
    const target = trimmed(mountPath)
    claim(target, ['tmpfs', index], 'another tmpfs or volume')
    const size = sizeLimit === undefined ? undefined : memoryQuantity(String(sizeLimit))
    const limit = size?.isValid === true ? { size: size.text } : {}
    mounts.push({ path: target, readOnly: false, from: { kind: 'memory', ...limit } })
  }
  return { mounts, needs }
}

/** A path without its trailing slash, so that one place has one spelling. */
export function trimmed(path: string): string {
  const bare = path.replace(/(?<!\/)\/+$/, '')
  return bare === '' && path !== '' ? '/' : bare
}

function targetOf(
  container: Declaration<'container'>,
  context: ChartContext,
  use: VolumeMountData,
  index: number,
): string | undefined {
  const path = ['volumes', index, 'mountPath']
  const target = use.mountPath ?? use.containerPath
  if (target === undefined) {
    const fault = { code: 'missing_field', message: 'is required, but missing' } as const
    if (!container.isFaulty(['volumes', index])) container.report(path, fault, 'key')
    return undefined
  }
  if (use.containerPath !== undefined) {
    context.warn(`${container.ref}: containerPath is the old name of mountPath; write mountPath`)
    if (use.mountPath !== undefined && trimmed(use.mountPath) !== trimmed(use.containerPath)) {
      container.report(path, bad('mountPath and containerPath differ', 'leave out containerPath'))
    }
  }
  if (target === '/') container.report(path, bad('nothing can be mounted on /'))
  return trimmed(target)
}

/** A relabelling changes files of the host: it happens only where the mount or the volume asks for it. */
function mountOf(
  volume: Declaration<'volume'>,
  use: VolumeMountData,
  target: string,
  context: ChartContext,
): MountSpec {
  const { seLinuxLabel, uidMapping, gidMapping } = use.mountOptions ?? {}
  const label = seLinuxLabel ?? volume.data.securityContext?.seLinuxOptions?.level
  const source = volumeSource(volume, context)
  // A volume in memory of one mount is empty at the start: a part of it is as good as the whole.
  const subPath = source.kind === 'memory' ? undefined : use.subPath
  return compact({
    path: target,
    readOnly: use.readOnly ?? false,
    subPath: subPath && trimmed(subPath),
    seLinux: label && (isShared(label) ? ('shared' as const) : ('private' as const)),
    uidMapping,
    gidMapping,
    from: source.kind === 'named' ? { kind: 'named' as const, volume: volume.object } : source,
  })
}

function isShared(label: 'z' | 'Z' | 'shared' | 'private'): boolean {
  return label === 'z' || label === 'shared'
}

/** Volumes of a service: named, anonymous, paths of the host, memory. */
import { createsHostPath } from '#formats/compose/canonical/release.ts'
import type { Mount, Service } from '#formats/compose/schema/file.ts'
import { isBelow } from '#model/policy.ts'
import { contentHash, folderHash } from '../content-hash.ts'
import type { MountSpec } from '../spec.ts'
import { onChangeOf } from './on-change.ts'
import { byName, filled, type Stage } from './stage.ts'

export function mountsOf(stage: Stage, name: string, service: Service): readonly MountSpec[] {
  const handled = onChangeOf(stage, name, service)
  return (service.volumes ?? []).map((volume) => {
    const { target = '' } = volume
    const isKept = handled[target] !== undefined
    return {
      target,
      readOnly: volume.read_only === true,
      from: fromOf(stage, volume, isKept),
    }
  })
}

function fromOf(stage: Stage, volume: Mount, isKept: boolean): MountSpec['from'] {
  const { source = '' } = volume
  switch (volume.type ?? 'volume') {
    case 'bind': {
      const { bind = {} } = volume
      return {
        kind: 'bind',
        path:
          (isKept ? stage.placing.kept(source)?.to : undefined) ??
          stage.placing.at(source, volume.read_only !== true),
        makesPath: volume.bind !== undefined && createsHostPath(bind, stage.loaded.release),
        ...filled({
          propagation: bind.propagation ?? '',
          selinux: bind.selinux ?? '',
          recursive: bind.recursive ?? '',
        }),
      }
    }
    case 'tmpfs': {
      const { size, mode } = volume.tmpfs ?? {}
      return {
        kind: 'tmpfs',
        ...(size === undefined ? {} : { size: Number(size) }),
        ...(mode === undefined ? {} : { mode }),
      }
    }
    case 'image':
      return {
        kind: 'image',
        image: source,
        ...filled({ subpath: volume.image?.subpath ?? '' }),
      }
    default: {
      const { nocopy, subpath = '', labels = {} } = volume.volume ?? {}
      const known = byName(stage.model.volumes, source)
      return {
        kind: 'volume',
        volume: source === '' ? '' : known?.name || source,
        ...(nocopy === true ? { nocopy } : {}),
        ...filled({ subpath, labels }),
      }
    }
  }
}

/** A file that is mounted is held by what it was when the container started: a new one needs a new container. */
export function contentsOf(
  stage: Stage,
  name: string,
  service: Service,
): Readonly<Record<string, string>> {
  const { input, root } = stage
  const { files } = input.load
  const handled = onChangeOf(stage, name, service)
  const hashes = (service.volumes ?? []).flatMap((volume) => {
    const { source = '', target = '' } = volume
    if (volume.type !== 'bind' || source === root || !isBelow(source, root)) return []
    if (volume.read_only !== true && input.isRepositoryFile?.(source) !== true) return []
    const isKept = handled[target] !== undefined
    if (files.isDirectory(source)) {
      if (!isKept || input.list === undefined) return []
      return [[target, folderHash(input.list(source), (path) => files.read(path))] as const]
    }
    const content = files.read(source)
    if (content === undefined) return []
    return [[target, contentHash(content)] as const]
  })
  return Object.fromEntries(hashes)
}

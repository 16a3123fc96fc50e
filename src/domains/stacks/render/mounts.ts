/** Volumes of a service: named, anonymous, paths of the host, memory. */
import { createsHostPath } from '#formats/compose/release.ts'
import { recordOf, recordsOf, textMapOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { isBelow } from '#model/policy.ts'
import { contentHash } from '../content-hash.ts'
import type { MountSpec } from '../spec.ts'
import { filled, type Stage } from './stage.ts'

export function mountsOf(stage: Stage, service: JsonRecord): readonly MountSpec[] {
  return recordsOf(service['volumes']).map((volume) => ({
    target: textOf(volume['target']),
    readOnly: volume['read_only'] === true,
    from: fromOf(stage, volume),
  }))
}

function fromOf(stage: Stage, volume: JsonRecord): MountSpec['from'] {
  const source = textOf(volume['source'])
  switch (textOf(volume['type'])) {
    case 'bind': {
      const bind = recordOf(volume['bind'])
      return {
        kind: 'bind',
        path: stage.placing.at(source, volume['read_only'] !== true),
        makesPath: volume['bind'] !== undefined && createsHostPath(bind, stage.loaded.release),
        ...filled({
          propagation: textOf(bind['propagation']),
          selinux: textOf(bind['selinux']),
          recursive: textOf(bind['recursive']),
        }),
      }
    }
    case 'tmpfs': {
      const { size, mode } = recordOf(volume['tmpfs'])
      return {
        kind: 'tmpfs',
        ...(size === undefined ? {} : { size: Number(size) }),
        ...(typeof mode === 'number' ? { mode } : {}),
      }
    }
    case 'image':
      return {
        kind: 'image',
        image: source,
        ...filled({ subpath: textOf(recordOf(volume['image'])['subpath']) }),
      }
    default: {
      const options = recordOf(volume['volume'])
      const known = recordOf(recordOf(stage.model['volumes'])[source])
      return {
        kind: 'volume',
        volume: source === '' ? '' : textOf(known['name']) || source,
        ...(options['nocopy'] === true ? { nocopy: true } : {}),
        ...filled({ subpath: textOf(options['subpath']), labels: textMapOf(options['labels']) }),
      }
    }
  }
}

/** A file that is mounted is held by what it was when the container started: a new one needs a new container. */
export function contentsOf(
  { input, root }: Stage,
  service: JsonRecord,
): Readonly<Record<string, string>> {
  const { files } = input.load
  const hashes = recordsOf(service['volumes']).flatMap((volume) => {
    const source = textOf(volume['source'])
    if (volume['type'] !== 'bind' || source === root || !isBelow(source, root)) return []
    if (volume['read_only'] !== true && input.isRepositoryFile?.(source) !== true) return []
    if (files.isDirectory(source)) return []
    const content = files.read(source)
    if (content === undefined) return []
    return [[textOf(volume['target']), contentHash(content)] as const]
  })
  return Object.fromEntries(hashes)
}

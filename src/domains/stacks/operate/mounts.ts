/** Mounts in the three ways in which the API takes them. */
import { textsOf } from '#model/read-json.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { MountSpec, ServiceSpec } from '../spec.ts'
import type { Making } from './making.ts'

/** In the short form engines make a host's folder that is missing; in the long one they refuse. */
export function bindsOf({ mounts, files }: ServiceSpec, making: Making): readonly string[] {
  const own = mounts.flatMap((mount) => bindOf(mount) ?? [])
  const targets = new Set(mounts.filter(isNamed).map(({ target }) => target))
  const inherited = making.inherits.filter(({ target }) => !targets.has(target))
  const mounted = files.flatMap(({ path, target }) =>
    path === undefined ? [] : `${path}:${target}:ro`,
  )
  return [...own, ...mounted, ...inherited.map(({ volume, target }) => `${volume}:${target}:rw`)]
}

/** Not an anonymous volume: whatever was there before is not looked for any more. */
function isNamed({ from }: MountSpec): boolean {
  return from.kind !== 'volume' || from.volume !== ''
}

function bindOf({ target, readOnly, from }: MountSpec): string | undefined {
  const access = readOnly ? 'ro' : 'rw'
  if (from.kind === 'bind' && isShort(from)) {
    const options = [access, from.selinux, from.propagation].filter((word) => word !== undefined)
    return `${from.path}:${target}:${options.join(',')}`
  }
  if (from.kind !== 'volume' || from.volume === '' || isLong(from)) return undefined
  return `${from.volume}:${target}:${access}`
}

/** Only the short form knows SELinux, only the long one what is below a mount. */
function isShort({ makesPath, selinux, recursive }: Bind): boolean {
  return selinux !== undefined || (makesPath && recursive === undefined)
}

function isLong(from: Extract<MountSpec['from'], { kind: 'volume' }>): boolean {
  return from.subpath !== undefined || from.labels !== undefined || from.nocopy === true
}

export function mountsOf({ mounts }: ServiceSpec): readonly JsonRecord[] {
  return mounts.flatMap(({ target, readOnly, from }) => {
    const shared = { Target: target, ReadOnly: readOnly }
    switch (from.kind) {
      case 'bind':
        return isShort(from) ? [] : [{ ...shared, Type: 'bind', ...bindOptions(from) }]
      case 'volume':
        if (from.volume === '' || !isLong(from)) return []
        return [
          { ...shared, Type: 'volume', Source: from.volume, VolumeOptions: volumeOptions(from) },
        ]
      case 'tmpfs':
        return [{ ...shared, Type: 'tmpfs', TmpfsOptions: tmpfsOptions(from) }]
      case 'image':
        return [
          {
            ...shared,
            Type: 'image',
            Source: from.image,
            ImageOptions: { Subpath: from.subpath ?? '' },
          },
        ]
    }
  })
}

type Bind = Extract<MountSpec['from'], { kind: 'bind' }>

function bindOptions(from: Bind): JsonRecord {
  const { path, propagation, recursive, makesPath } = from
  return {
    Source: path,
    BindOptions: {
      ...(makesPath ? { CreateMountpoint: true } : {}),
      ...(propagation === undefined ? {} : { Propagation: propagation }),
      ...(recursive === 'disabled' ? { NonRecursive: true } : {}),
      ...(recursive === 'readonly' ? { ReadOnlyForceRecursive: true } : {}),
      ...(recursive === 'writable' ? { ReadOnlyNonRecursive: true } : {}),
    },
  }
}

function volumeOptions(from: Extract<MountSpec['from'], { kind: 'volume' }>): JsonRecord {
  return {
    NoCopy: from.nocopy ?? false,
    ...(from.labels === undefined ? {} : { Labels: from.labels }),
    ...(from.subpath === undefined ? {} : { Subpath: from.subpath }),
  }
}

function tmpfsOptions({ size, mode }: Extract<MountSpec['from'], { kind: 'tmpfs' }>): JsonRecord {
  return {
    ...(size === undefined ? {} : { SizeBytes: size }),
    ...(mode === undefined ? {} : { Mode: mode }),
  }
}

/** The service's own `tmpfs` list: `path`, or `path:options`. */
export function tmpfsOf({ service }: ServiceSpec): Json {
  const entries = textsOf(service.tmpfs).map((text) => {
    const at = text.indexOf(':')
    return at < 0 ? ([text, ''] as const) : ([text.slice(0, at), text.slice(at + 1)] as const)
  })
  return Object.fromEntries(entries)
}

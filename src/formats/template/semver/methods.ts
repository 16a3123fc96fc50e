/** The methods of *semver.Version that a template can call. */
import { GoError } from '../errors.ts'
import { takes0, takes1, text, type Func, type Param } from '../library.ts'
import { sized, type Semver } from '../values.ts'
import { compareVersions, versionText, type Version } from './version.ts'

const other: Param<Version> = {
  type: '*semver.Version',
  read: (value) => {
    if (typeof value === 'object' && value?.kind === 'semver') return value.version
    throw new GoError('runtime error: invalid memory address or nil pointer dereference')
  },
}

export function versionMethods(version: Version, name: string): Func | undefined {
  switch (name) {
    case 'Major':
      return takes0(() => sized('uint64', version.major))
    case 'Minor':
      return takes0(() => sized('uint64', version.minor))
    case 'Patch':
      return takes0(() => sized('uint64', version.patch))
    case 'Prerelease':
      return takes0(() => version.pre)
    case 'Metadata':
      return takes0(() => version.metadata)
    case 'Original':
      return takes0(() => version.original)
    case 'String':
      return takes0(() => versionText(version))
    case 'IncPatch':
      return takes0(() =>
        next(version, version.minor, version.pre === '' ? version.patch + 1n : version.patch),
      )
    case 'IncMinor':
      return takes0(() => next(version, version.minor + 1n, 0n))
    case 'IncMajor':
      return takes0(() => next({ ...version, major: version.major + 1n }, 0n, 0n))
    case 'SetPrerelease':
      return takes1(text, (_, pre) => changed(version, { pre: valid(pre, 'prerelease') }))
    case 'SetMetadata':
      return takes1(text, (_, metadata) =>
        changed(version, { metadata: valid(metadata, 'metadata') }),
      )
    case 'Compare':
      return takes1(other, (_, right) => BigInt(compareVersions(version, right)))
    case 'Equal':
      return takes1(other, (_, right) => compareVersions(version, right) === 0)
    case 'LessThan':
      return takes1(other, (_, right) => compareVersions(version, right) < 0)
    case 'LessThanEqual':
      return takes1(other, (_, right) => compareVersions(version, right) <= 0)
    case 'GreaterThan':
      return takes1(other, (_, right) => compareVersions(version, right) > 0)
    case 'GreaterThanEqual':
      return takes1(other, (_, right) => compareVersions(version, right) >= 0)
    default:
      return undefined
  }
}

function next(version: Version, minor: bigint, patch: bigint): Semver {
  return changed(version, { major: version.major, minor, patch, pre: '', metadata: '' })
}

function changed(version: Version, change: Partial<Version>): Semver {
  const made = { ...version, ...change }
  const prefix = version.original.startsWith('v') ? 'v' : ''
  return { kind: 'semver', version: { ...made, original: prefix + versionText(made) } }
}

function valid(value: string, what: string): string {
  const parts = value.split('.')
  if (value !== '' && !parts.every((part) => /^[0-9A-Za-z-]+$/.test(part))) {
    throw new GoError(`invalid ${what} string`)
  }
  if (what === 'prerelease' && parts.some((part) => /^0[0-9]+$/.test(part))) {
    throw new GoError('version segment starts with 0')
  }
  return value
}

/** Where applications come from: sources by name, each checked. */
import { dirname, isAbsolute, join, resolve } from 'node:path/posix'
import { didYouMean } from '#formats/schema/suggestion.ts'
import type {
  Credential,
  RemoteOrigin,
  SecretFrom,
  SourceDeclared,
  Verification,
} from '#model/declaration.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import type { FileData } from './schema.ts'
import type { SourceData } from './source-schema.ts'
import { troubleOf, type Written } from './written.ts'

export type File = Written<FileData>

export type Sources = {
  /** The one of that name, or the only one. A problem is reported to `problems`. */
  find(
    name: string | undefined,
    file: File,
    path: readonly (string | number)[],
    problems: ProblemFacts[],
  ): SourceDeclared | undefined
}

export function sourcesOf(files: readonly File[], problems: ProblemFacts[]): Sources {
  const found = new Map<string, SourceDeclared>()
  const places = new Map<string, string>()
  for (const file of files) {
    for (const [name, data] of Object.entries(file.data.sources ?? {})) {
      const at = file.at(['sources', name], 'key')
      const first = places.get(name)
      if (first !== undefined) {
        const message = `sources.${name}: is declared twice, also at ${first}`
        problems.push(troubleOf({ code: 'duplicate_name', message, at }))
        continue
      }
      places.set(name, placeText(at))
      const source = sourceOf(file, name, data, problems)
      if (source !== undefined) found.set(name, source)
    }
  }
  const names = [...new Set(files.flatMap((file) => rawNames(file)))]
  return {
    find(name, file, path, reported) {
      const wanted = name ?? (names.length === 1 ? names[0] : undefined)
      const source = wanted === undefined ? undefined : found.get(wanted)
      if (source === undefined) reported.push(...notFound(wanted, names, file, path))
      return source
    },
  }
}

/** Also of those that have a fault: one who names such a source made no second mistake. */
function rawNames({ raw }: File): readonly string[] {
  const sources = typeof raw === 'object' && raw !== null && 'sources' in raw ? raw.sources : {}
  return typeof sources === 'object' && sources !== null ? Object.keys(sources) : []
}

function notFound(
  name: string | undefined,
  names: readonly string[],
  file: File,
  path: readonly (string | number)[],
): readonly ProblemFacts[] {
  if (name !== undefined && names.includes(name)) return []
  const known = `there are: ${names.join(', ')}`
  if (name === undefined) {
    const message = 'does not say which source it comes from'
    const suggestion = names.length === 0 ? 'declare one under sources' : `add source; ${known}`
    return [troubleOf({ message, suggestion, at: file.at(path) })]
  }
  const message = `there is no source ${JSON.stringify(name)}`
  const suggestion =
    names.length === 0 ? 'declare it under sources' : (didYouMean(name, names) ?? known)
  return [troubleOf({ message, suggestion, at: file.at([...path, 'source']) })]
}

const gitOnly = ['ref', 'token', 'user', 'ssh', 'submodules', 'verify'] as const

function sourceOf(
  file: File,
  name: string,
  data: SourceData,
  problems: ProblemFacts[],
): SourceDeclared | undefined {
  const path = ['sources', name]
  function report(message: string, suggestion?: string, part?: string): undefined {
    const at = part === undefined ? file.at(path, 'key') : file.at([...path, part])
    problems.push(troubleOf({ message: `sources.${name}: ${message}`, suggestion, at }))
  }
  if (file.isFaulty(path)) return undefined
  if (data.directory !== undefined) {
    const extra = gitOnly.find((key) => data[key] !== undefined)
    if (data.git !== undefined) return report('has both git and directory', 'keep one of them')
    if (extra !== undefined) return report(`${extra} belongs to git, not to a directory`, '', extra)
    return { kind: 'directory', path: resolve(fromFile(file, data.directory)) }
  }
  if (data.git === undefined) return report('has neither git nor directory', 'add git: https://…')
  if (data.ref === undefined) {
    return report('does not say what to follow', 'add ref: with a branch, a tag or a commit')
  }
  const url = addressOf(data.git)
  if (url.fault !== undefined) return report(url.fault, url.suggestion, 'git')
  if (/^-|[\s\0~^:?*[\\]|\.\.|@\{/.test(data.ref)) {
    return report(
      `${JSON.stringify(data.ref)} is not a ref`,
      'name a branch, a tag or a commit',
      'ref',
    )
  }
  const isWeb = /^https?:\/\//.test(data.git)
  if (data.token !== undefined && !isWeb) return report('a token is for https', 'use ssh', 'token')
  if (data.ssh !== undefined && !url.isSsh) return report('ssh is for ssh', 'use token', 'ssh')
  if (data.user !== undefined && data.token === undefined) {
    return report('user stands beside a token', 'add token', 'user')
  }
  if (data.verify !== undefined && keysIn(data.verify).length === 0) {
    return report('verify names no key', 'add gpg: or ssh: with public keys', 'verify')
  }
  return {
    kind: 'git',
    url: url.isPath ? resolve(fromFile(file, data.git)) : data.git,
    ref: data.ref,
    credential: credentialOf(file, data),
    submodules: data.submodules ?? false,
    ...(data.verify === undefined ? {} : { verify: verificationOf(file, data.verify) }),
  }
}

function verificationOf(file: File, data: VerifyData): Verification {
  const keys = keysIn(data).map((key) =>
    typeof key === 'string' ? { text: key } : secretOf(file, key),
  )
  return { mode: data.mode ?? 'head', keys }
}

type VerifyData = NonNullable<SourceData['verify']>

function keysIn({ gpg = [], ssh = [] }: VerifyData) {
  return [...gpg, ...ssh]
}

export function remoteOriginsOf(file: File): readonly RemoteOrigin[] {
  return (file.data.remoteBases ?? []).map((data) => {
    const { verify } = data
    const more = verify === undefined ? {} : { verify: verificationOf(file, verify) }
    return { from: data.from, credential: credentialOf(file, data), ...more }
  })
}

function credentialOf(
  file: File,
  { token, user, ssh }: Pick<SourceData, 'token' | 'user' | 'ssh'>,
): Credential | undefined {
  if (token !== undefined) {
    return { kind: 'token', user: user ?? 'x-access-token', from: secretOf(file, token) }
  }
  if (ssh === undefined) return undefined
  const knownHosts = ssh.knownHosts === undefined ? undefined : secretOf(file, ssh.knownHosts)
  return { kind: 'ssh', key: secretOf(file, ssh.key), knownHosts }
}

/** A relative path is taken from the folder of the file it stands in. */
export function secretOf(file: File, from: SecretFrom): SecretFrom {
  return 'file' in from ? { file: fromFile(file, from.file) } : from
}

export function fromFile(file: File, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file.file), path)
}

type Address = {
  readonly fault?: string
  readonly suggestion?: string
  readonly isSsh: boolean
  readonly isPath: boolean
}

/** `https://`, `ssh://`, `user@host:path`, `file://`, or a path. */
export function addressOf(text: string): Address {
  const none = { isSsh: false, isPath: false }
  if (/^[\w.-]+@[\w.-]+:(?!\/\/)\S+$/.test(text)) return { ...none, isSsh: true }
  if (!text.includes('://')) {
    if (text.startsWith('-')) return { ...none, fault: `${JSON.stringify(text)} is not an address` }
    return { ...none, isPath: true }
  }
  const url = URL.parse(text)
  if (url === null || !['https:', 'http:', 'ssh:', 'file:'].includes(url.protocol)) {
    const suggestion = 'write https://…, ssh://…, user@host:path or a path'
    return { ...none, fault: 'is not an address that Git is asked at here', suggestion }
  }
  if (url.password !== '' || (url.username !== '' && url.protocol !== 'ssh:')) {
    const suggestion = 'take them out and name where they are: token: {file: …}'
    return { ...none, fault: 'holds credentials, which every log would show', suggestion }
  }
  return { ...none, isSsh: url.protocol === 'ssh:' }
}

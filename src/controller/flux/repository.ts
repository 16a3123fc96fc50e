/** A GitRepository object as a source of the service. */
import { recordOf, textOf } from '#model/read-json.ts'
import { millisecondsOf } from '#domains/kustomizations/spec-schema.ts'
import type { Credential, SourceDeclared, Verification } from '#model/declaration.ts'
import type { JsonRecord } from '#model/json.ts'
import { usualInterval } from '#kinds/kustomizations/declaration.ts'
import { addressOf } from '../declare/sources.ts'
import type { FluxObject } from './kinds.ts'

/** Why it can't be followed, in the words of a condition; stalled: only another spec mends it. */
export type Trouble = {
  readonly reason: string
  readonly message: string
  readonly isStalled: boolean
}

/** What its Secret says: values by key, and a version that changes with them. */
export type SecretData = {
  readonly version: string
  readonly user: string
  readonly has: (key: string) => boolean
  readonly keys: readonly string[]
}

export type RepositoryRead =
  | { readonly source: SourceDeclared; readonly interval: number }
  | { readonly trouble: Trouble }

/** `secret` and `signers`: undefined when it names none, or one that is not there. */
export function readRepository(
  one: FluxObject,
  secret: SecretData | undefined,
  signers?: SecretData,
): RepositoryRead {
  const { spec } = one
  const url = textOf(spec['url'])
  const fault = addressOf(url).fault
  if (fault !== undefined) return stalled('URLInvalid', fault)
  const beyondUs = unsupported(spec)
  if (beyondUs !== undefined) return stalled('Unsupported', beyondUs)
  const named = secretNameIn(spec)
  if (named !== '' && secret === undefined) {
    const message = `failed to get secret '${one.namespace}/${named}': secrets "${named}" not found`
    return { trouble: { reason: 'AuthenticationFailed', message, isStalled: false } }
  }
  // without one, ssh would use the keys of whoever runs Tend, for an address that somebody else wrote
  if (named === '' && !/^https?:/.test(url)) {
    const message = 'spec.secretRef is needed for ssh: a Secret with identity and known_hosts'
    return { trouble: { reason: 'AuthenticationFailed', message, isStalled: false } }
  }
  const credential =
    secret === undefined ? undefined : credentialOf(`${one.namespace}/${named}`, secret, url)
  if (credential !== undefined && 'trouble' in credential) return credential
  const verified = verificationOf(one, signers)
  if ('trouble' in verified) return verified
  const ref = refOf(one)
  if (ref === undefined) {
    const message = 'it is suspended, and was never fetched'
    return { trouble: { reason: 'Suspended', message, isStalled: false } }
  }
  const interval = millisecondsOf(textOf(spec['interval'])) ?? usualInterval
  const ignore = textOf(spec['ignore'])
  const only = onlyIn(spec)
  const timeout = millisecondsOf(textOf(spec['timeout']))
  return {
    source: {
      kind: 'git',
      url,
      ref,
      credential,
      submodules: spec['recurseSubmodules'] === true,
      ...verified,
      ...(ignore === '' ? {} : { ignore }),
      ...(only.length === 0 ? {} : { only }),
      ...(timeout === undefined ? {} : { timeout }),
    },
    interval: one.isSuspended ? 0 : sooner(interval),
  }
}

export function signersNameIn(spec: JsonRecord): string {
  return textOf(recordOf(recordOf(spec['verify'])['secretRef'])['name'])
}

const modes: Readonly<Record<string, Verification['mode']>> = { Tag: 'tag', TagAndHEAD: 'all' }

/** Each entry of the Secret is a public key. One that is suspended stays at a commit: by then no tag is followed. */
function verificationOf(
  { spec, namespace, isSuspended }: FluxObject,
  signers: SecretData | undefined,
): { readonly verify?: Verification } | { readonly trouble: Trouble } {
  if (Object.keys(recordOf(spec['verify'])).length === 0) return {}
  const name = `${namespace}/${signersNameIn(spec)}`
  const keys = (signers?.keys ?? []).map((key) => ({
    held: `Secret ${name}, ${key} (${signers?.version ?? ''})`,
  }))
  if (keys.length === 0) {
    const message = `failed to get the public keys of verify: secret '${name}' ${signers === undefined ? 'not found' : 'is empty'}`
    return { trouble: { reason: 'VerificationError', message, isStalled: false } }
  }
  const mode = modes[textOf(recordOf(spec['verify'])['mode'])] ?? 'head'
  if (isSuspended && mode !== 'head')
    return mode === 'tag' ? {} : { verify: { mode: 'head', keys } }
  return { verify: { mode, keys } }
}

export function secretNameIn(spec: JsonRecord): string {
  return textOf(recordOf(spec['secretRef'])['name'])
}

/** A change is to be seen within the interval, the time of asking included: never later than it says. */
function sooner(interval: number): number {
  return Math.round(interval - Math.min(interval / 6, 10_000))
}

/** Flux's order: commit, name, semver, tag, branch. One that is suspended stays where it was. */
function refOf({ spec, status, isSuspended }: FluxObject): string | undefined {
  if (isSuspended) return commitIn(textOf(recordOf(status['artifact'])['revision']))
  const { commit, name, semver, tag, branch } = textsIn(recordOf(spec['ref']))
  if (commit !== '') return commit
  if (name !== '') return name
  if (semver !== '') return `semver:${semver}`
  if (tag !== '') return `refs/tags/${tag}`
  return `refs/heads/${branch === '' ? 'master' : branch}`
}

export function commitIn(revision: string): string | undefined {
  return /^(?:.*@)?sha(?:1|256):([0-9a-f]{40,64})$/.exec(revision)?.[1]
}

/** `main@sha1:…`; `resolved`: the tag that a range of versions meant. */
export function revisionOf(one: FluxObject, commit: string, resolved?: string): string {
  const { commit: fixed, name, semver, tag, branch } = textsIn(recordOf(one.spec['ref']))
  const kept = textOf(recordOf(one.status['artifact'])['revision'])
  if (one.isSuspended && commitIn(kept) === commit) return kept
  const hash = `sha${commit.length === 64 ? '256' : '1'}:${commit}`
  if (fixed !== '') return branch === '' ? hash : `${branch}@${hash}`
  const shown = name || (semver === '' ? tag : (resolved ?? semver)) || branch || 'master'
  return `${shown}@${hash}`
}

/** Of an artifact the hash of its source's revision is shown, as a commit. */
export function revisionFor(
  one: FluxObject,
  git: FluxObject | undefined,
  revision: string,
  tag: string | undefined,
): string {
  const [commit = ''] = revision.split('-', 1)
  return git === undefined ? revisionBefore(one, commit) : revisionOf(git, commit, tag)
}

/** Without its GitRepository a commit is shown as it was shown before. */
function revisionBefore({ status }: FluxObject, commit: string): string {
  const shown = [status['lastAppliedRevision'], status['lastAttemptedRevision']].map(textOf)
  const hash = `sha${commit.length === 64 ? '256' : '1'}:${commit}`
  return shown.find((text) => commitIn(text) === commit) ?? hash
}

function textsIn(ref: JsonRecord) {
  const { commit, name, semver, tag, branch } = ref
  return {
    commit: textOf(commit),
    name: textOf(name),
    semver: textOf(semver),
    tag: textOf(tag),
    branch: textOf(branch),
  }
}

/** The folders of a sparse checkout, without dots and slashes around them. */
function onlyIn(spec: JsonRecord): readonly string[] {
  const listed = spec['sparseCheckout']
  const folders = (Array.isArray(listed) ? listed : []).map((folder) =>
    textOf(folder)
      .replace(/^(?:\.?\/)+/, '')
      .replace(/(?<!\/)\/+$/, ''),
  )
  // the root holds everything
  return folders.some((folder) => folder === '' || folder === '.') ? [] : folders
}

/** With what does instead. */
const beyond = {
  include:
    'keep these files in one repository, or make the other a submodule of it (recurseSubmodules)',
  proxySecretRef: 'set HTTPS_PROXY where Tend runs',
} as const

function unsupported(spec: JsonRecord): string | undefined {
  const found = Object.entries(beyond).find(([name]) => {
    const value = spec[name]
    return value !== undefined && value !== null && JSON.stringify(value) !== '[]'
  })
  const provider = textOf(spec['provider'])
  if (found !== undefined) return `spec.${found[0]} is not supported by Tend: ${found[1]}`
  if (provider !== '' && provider !== 'generic') {
    return `spec.provider ${provider} is not supported by Tend: use a secretRef`
  }
  return undefined
}

/** Values stay where they are: the credential only names them. */
function credentialOf(
  name: string,
  { version, user, has }: SecretData,
  url: string,
): Credential | { readonly trouble: Trouble } | undefined {
  const from = (key: string) => ({ held: `Secret ${name}, ${key} (${version})` })
  if (!/^https?:/.test(url)) {
    if (!has('identity')) return refused(name, 'has no identity, which ssh needs')
    if (!has('known_hosts')) return refused(name, 'has no known_hosts, which ssh needs')
    return { kind: 'ssh', key: from('identity'), knownHosts: from('known_hosts') }
  }
  if (has('bearerToken')) return { kind: 'bearer', from: from('bearerToken') }
  if (has('password')) return { kind: 'token', user, from: from('password') }
  return has('username') ? refused(name, 'has a username but no password') : undefined
}

function refused(name: string, why: string): { readonly trouble: Trouble } {
  const message = `secret '${name}' ${why}`
  return { trouble: { reason: 'AuthenticationFailed', message, isStalled: false } }
}

function stalled(reason: string, message: string): { readonly trouble: Trouble } {
  return { trouble: { reason, message, isStalled: true } }
}

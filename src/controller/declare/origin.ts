/** The variables of docker-cd as declarations: whoever used that only changes the image. */
import { rulingAll, warnOfHarmless, type Policy } from '#model/policy.ts'
import type { AppPolicy, Declarations, HookDeclared } from '#model/declaration.ts'
import type { Json } from '#model/json.ts'
import type { Ruling } from '#model/policy.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { folderPath } from './apps.ts'
import { usualPolicy } from '#model/usual-policy.ts'
import { isSharedName } from './policy-schema.ts'
import { usualSettings } from './settings.ts'
import { addressOf } from './sources.ts'
import { durationOf } from '#kinds/duration.ts'
import { troubleOf, type DeclarationsResult } from './written.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const variablesOfOrigin = [
  'GIT_REPO_URL',
  'GIT_ACCESS_TOKEN',
  'GIT_REVISION',
  'GIT_DEPLOY_DIR',
  'PORT',
  'PROJECT_NAME',
  'DOCKER_SOCKET',
  'WEBHOOK_SECRET',
  'REFRESH_POLL_INTERVAL',
  'RECONCILE_ENABLED',
  'RECONCILE_REMOVE_ENABLED',
  'DRIFT_POLICY',
  'LOG_LEVEL',
  'LOG_FORMAT',
] as const

/** Secrets stay where they are: they are named by their variable. */
export function declarationsOfOrigin(environment: Environment): DeclarationsResult {
  const read = reader(environment)
  if (read.text('GIT_REPO_URL') === '') return nothingDeclared()
  const url = checkedUrl(read)
  const path = checkedPath(read)
  const values = passedOn(read)
  const interval = intervalOf(read)
  const port = portOf(read)
  const drift = read.oneOf('DRIFT_POLICY', ['revert', 'flag'])
  const policy: AppPolicy = {
    ...usualPolicy,
    interval,
    prune: read.isOn('TEND_PRUNE', true),
    drift,
    flagsEverything: drift === 'flag',
    rollback: read.oneOf('TEND_ROLLBACK', ['auto', 'never']),
    security: securityOf(read),
  }
  const ref = read.needed('GIT_REVISION', 'the branch, tag or commit to follow')
  const credential = tokenOf(read, url)
  const declarations: Declarations = {
    ...usualSettings,
    apps: [],
    discoveries: [
      {
        name: 'environment',
        source: { kind: 'git', url, ref, credential, submodules: false },
        path,
        depth: 1,
        include: [],
        exclude: [],
        prefix: '',
        target: targetOf(read.text('DOCKER_SOCKET')),
        values,
        policy,
        removesGone: read.isOn('RECONCILE_REMOVE_ENABLED', false),
        isOrigin: true,
        at: undefined,
      },
    ],
    isEnabled: read.isOn('RECONCILE_ENABLED', true),
    listen: {
      host: '0.0.0.0',
      port,
      isOpen: read.isOn('TEND_OPEN_API', false),
      ...(read.text('TEND_HOSTS') === '' ? {} : { hosts: listOf(read, 'TEND_HOSTS') }),
    },
    projectName: read.text('PROJECT_NAME') || 'Docker-CD',
    hooks: hooksOf(read),
    log: {
      level: read.text('LOG_LEVEL').toLowerCase() === 'debug' ? 'debug' : 'info',
      format: read.text('LOG_FORMAT').toLowerCase() === 'json' ? 'json' : 'text',
    },
    hostFiles: read.text('TEND_HOST_FILES') || undefined,
    isOrigin: true,
    warnings: read.warnings,
  }
  return read.problems.length > 0
    ? { declarations: undefined, problems: read.problems }
    : { declarations, problems: [] }
}

/** An operator's own word counts for everything. Without one, what reaches the host or the data of others is denied. */
function securityOf(read: Reader): Policy {
  const usual = 'default'
  const word = read.oneOf<Ruling | typeof usual>('TEND_SECURITY', [usual, 'warn', 'allow', 'deny'])
  const policy = word === usual ? warnOfHarmless : rulingAll(word)
  const shared = listOf(read, 'TEND_SHARED')
  for (const word of shared.filter((one) => !isSharedName(one))) {
    read.warnings.push(`TEND_SHARED: ${word} names nothing; write network/NAME or volume/NAME`)
  }
  return { ...policy, shared, saidIn: 'environment' }
}

function nothingDeclared(): DeclarationsResult {
  const message = 'nothing is declared: there is no tend.yaml, and GIT_REPO_URL is not set'
  const suggestion = 'write a tend.yaml with sources and apps, then: tend serve -c tend.yaml'
  return { declarations: undefined, problems: [troubleOf({ message, suggestion })] }
}

type Reader = {
  readonly problems: ProblemFacts[]
  readonly warnings: string[]
  text(name: string): string
  needed(name: string, what: string): string
  isOn(name: string, usual: boolean): boolean
  /** The first is the usual one, and taken for what is none of them, as the origin does. */
  oneOf<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word
}

function reader(environment: Environment): Reader {
  const problems: ProblemFacts[] = []
  const warnings: string[] = []
  const text = (name: string) => environment[name]?.trim() ?? ''
  return {
    problems,
    warnings,
    text,
    needed(name, what) {
      const found = text(name)
      if (found === '') {
        problems.push(troubleOf({ message: `${name} is not set`, suggestion: `set it to ${what}` }))
      }
      return found
    },
    isOn(name, usual) {
      const found = text(name).toLowerCase()
      if (found === '') return usual
      if (['true', '1', 't', 'yes', 'on'].includes(found)) return true
      if (['false', '0', 'f', 'no', 'off'].includes(found)) return false
      warnings.push(`${name} is neither true nor false: ${usual} is taken`)
      return usual
    },
    oneOf(name, words) {
      const found = text(name).toLowerCase()
      const word = words.find((one) => one === found)
      if (word === undefined && found !== '') {
        warnings.push(`${name} is none of ${words.join(', ')}: ${words[0]} is taken`)
      }
      return word ?? words[0]
    },
  }
}

/** An address may hold a token by mistake: it is not said again. */
function checkedUrl(read: Reader): string {
  const url = read.text('GIT_REPO_URL')
  const { fault, suggestion } = addressOf(url)
  if (fault !== undefined) {
    read.problems.push(
      troubleOf({
        message: `GIT_REPO_URL ${fault}`,
        suggestion: url.includes('@') ? 'set GIT_ACCESS_TOKEN instead' : suggestion,
      }),
    )
  }
  return url
}

/** Where the origin always asked for a token, one is asked for. */
function tokenOf(read: Reader, url: string) {
  if (!/^https?:/.test(url)) return undefined
  read.needed('GIT_ACCESS_TOKEN', 'a token that may read the repository')
  return {
    kind: 'token',
    user: 'x-access-token',
    from: { variable: 'GIT_ACCESS_TOKEN' },
  } as const
}

function checkedPath(read: Reader): string {
  const path = folderPath(read.text('GIT_DEPLOY_DIR').replace(/^\/+/, '') || '.')
  if (path === '..' || path.startsWith('../')) {
    const message = 'GIT_DEPLOY_DIR leads out of the repository'
    read.problems.push(troubleOf({ message, suggestion: 'name a folder inside it' }))
  }
  return path
}

function intervalOf(read: Reader): number {
  const text = read.text('REFRESH_POLL_INTERVAL')
  if (text === '') return 0
  const found = durationOf(text)
  if (found === undefined) {
    const message = `REFRESH_POLL_INTERVAL: ${JSON.stringify(text)} is not a duration`
    read.problems.push(troubleOf({ message, suggestion: 'write it like 30s, 5m or 1h' }))
    return 0
  }
  return found === 0 ? 0 : Math.max(found, 1_000)
}

function portOf(read: Reader): number {
  const text = read.text('PORT')
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return port
  if (text !== '') read.warnings.push('PORT is not a port: 8080 is taken')
  return 8080
}

/** A path, `unix://…` or `tcp://…`. */
function targetOf(socket: string): string | undefined {
  if (socket === '') return undefined
  return socket.includes('://') ? socket : `unix://${socket}`
}

/** The origin took any caller who signs as GitHub does; those of other forges sign so too. */
function hooksOf(read: Reader): readonly HookDeclared[] {
  const isOpen = read.isOn('TEND_OPEN_WEBHOOK', false)
  const hasSecret = read.text('WEBHOOK_SECRET') !== ''
  if (!hasSecret && !isOpen) {
    read.warnings.push(
      'WEBHOOK_SECRET is not set, so the webhook is closed; TEND_OPEN_WEBHOOK=true opens it to everybody',
    )
    return []
  }
  const secret = hasSecret ? { variable: 'WEBHOOK_SECRET' } : undefined
  return (['github', 'gitea', 'generic'] as const).map((kind) => ({
    kind,
    secret,
    isOpen: isOpen && !hasSecret,
  }))
}

const neverPassed: ReadonlySet<string> = new Set(['GIT_ACCESS_TOKEN', 'WEBHOOK_SECRET'])

/** Compose files saw all variables of the origin; here they see those that are listed. */
function passedOn(read: Reader): Readonly<Record<string, Json>> {
  const names = listOf(read, 'TEND_PASS_ENV')
  const values: Record<string, Json> = {}
  for (const name of names) {
    if (neverPassed.has(name) || name.startsWith('TEND_')) {
      const message = `TEND_PASS_ENV: ${name} is Tend's own and never passed on`
      read.problems.push(troubleOf({ message, suggestion: 'take it out' }))
    } else values[name] = read.text(name)
  }
  return values
}

/** Commas or blanks between. */
function listOf(read: Reader, name: string): readonly string[] {
  return read
    .text(name)
    .split(/[\s,]+/)
    .filter(Boolean)
}

/** What is said once for the whole service: where it listens, who may call it, who is told. */
import { usualAuditKept } from '#model/audit.ts'
import type {
  AlertChannel,
  CommitStatusDeclared,
  Declarations,
  HookDeclared,
} from '#model/declaration.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import { loginOf } from './login-schema.ts'
import { msOf } from './policy.ts'
import { renderLimitsOf } from './render-schema.ts'
import { listenOf, type ChannelData, type FileData, type HookData } from './schema.ts'
import { remoteOriginsOf, secretOf, type File, type Sources } from './sources.ts'
import { troubleOf } from './written.ts'
import { defined } from '#model/defined.ts'

export type Settings = Pick<
  Declarations,
  | 'concurrency'
  | 'isEnabled'
  | 'listen'
  | 'hooks'
  | 'alerts'
  | 'commitStatus'
  | 'log'
  | 'render'
  | 'remoteBases'
  | 'hostFiles'
  | 'audit'
  | 'login'
>

export const usualSettings: Settings = {
  concurrency: 1,
  isEnabled: true,
  listen: { host: '127.0.0.1', port: 8080 },
  hooks: [],
  alerts: { failures: 3, after: 600_000, channels: [] },
  commitStatus: [],
  log: { level: 'info', format: 'text' },
  hostFiles: undefined,
}

const once = [
  'defaults',
  'concurrency',
  'sync',
  'listen',
  'alerts',
  'log',
  'render',
  'hostFiles',
  'audit',
  'login',
] as const

/** Lists of several files are put together; anything else may be said in one file only. */
export function settingsOf(
  files: readonly File[],
  sources: Sources,
  problems: ProblemFacts[],
): Settings {
  problems.push(...once.flatMap((key) => saidTwice(files, key)))
  const said = <Key extends keyof FileData>(key: Key): FileData[Key] | undefined =>
    files.find(({ data }) => data[key] !== undefined)?.data[key]
  const { level, format } = said('log') ?? {}
  const hostFiles = said('hostFiles')
  const render = said('render')
  const remoteBases = files.flatMap(remoteOriginsOf)
  return {
    concurrency: said('concurrency') ?? usualSettings.concurrency,
    isEnabled: said('sync') ?? true,
    listen: listening(said('listen')),
    hooks: files.flatMap((file) => hooksOf(file, sources, problems)),
    alerts: alertsOf(files, problems),
    commitStatus: files.flatMap((file) => commitStatusOf(file, problems)),
    log: {
      level: level?.toLowerCase() === 'debug' ? 'debug' : 'info',
      format: format?.toLowerCase() === 'json' ? 'json' : 'text',
    },
    ...(render === undefined ? {} : { render: renderLimitsOf(render) }),
    ...(remoteBases.length === 0 ? {} : { remoteBases }),
    hostFiles,
    ...auditOf(said('audit')),
    ...loginIn(files),
  }
}

function loginIn(files: readonly File[]): Pick<Settings, 'login'> {
  const file = files.find(({ data }) => data.login !== undefined)
  const said = file?.data.login
  return file === undefined || said === undefined ? {} : { login: loginOf(file, said) }
}

function auditOf(said: FileData['audit']): Pick<Settings, 'audit'> {
  if (said === undefined) return {}
  const { rows = usualAuditKept.rows, days, log = false } = said
  const age = days === undefined ? usualAuditKept.age : days * 86_400_000
  return { audit: { kept: { rows, age }, isLogged: log } }
}

function saidTwice(files: readonly File[], key: (typeof once)[number]): readonly ProblemFacts[] {
  const [first, ...others] = files.filter(({ data }) => data[key] !== undefined)
  return others.map((file) => {
    const message = `${key}: is said twice, also at ${placeText(defined(first).at([key], 'key'))}`
    const suggestion = 'say it in one file'
    return troubleOf({ code: 'duplicate_name', message, suggestion, at: file.at([key], 'key') })
  })
}

function listening(said: FileData['listen']): Declarations['listen'] {
  if (said === undefined) return usualSettings.listen
  if (typeof said !== 'object') return listenOf(said) ?? usualSettings.listen
  const where = listenOf(said.address) ?? usualSettings.listen
  const { open = false, hosts } = said
  return { ...where, isOpen: open, ...(hosts === undefined ? {} : { hosts }) }
}

function hooksOf(file: File, sources: Sources, problems: ProblemFacts[]): readonly HookDeclared[] {
  return (file.data.hooks ?? []).map((data: HookData, index) => {
    const path = ['hooks', index]
    const { kind, secret, open = false } = data
    if (secret === undefined && !open && !file.isFaulty(path)) {
      const message = `hooks[${index}]: has no secret, so anybody could call it`
      const suggestion = 'add secret: {file: …}, or open: true if that is meant'
      problems.push(troubleOf({ message, suggestion, at: file.at(path) }))
    }
    const source =
      data.source === undefined ? undefined : sources.find(data.source, file, path, problems)
    return {
      kind,
      secret: secret === undefined ? undefined : secretOf(file, secret),
      isOpen: open,
      ...(source === undefined ? {} : { source }),
    }
  })
}

function alertsOf(files: readonly File[], problems: ProblemFacts[]): Declarations['alerts'] {
  const file = files.find(({ data }) => data.alerts !== undefined)
  const { failures, after, channels = [] } = file?.data.alerts ?? {}
  const names = new Set<string>()
  return {
    failures: failures ?? usualSettings.alerts.failures,
    after: msOf(after) ?? usualSettings.alerts.after,
    channels: channels.map((data, index) => {
      const path = ['alerts', 'channels', index]
      const name = data.name ?? data.kind
      if (names.has(name)) {
        const message = `${name} is the name of two channels`
        const suggestion = 'give each a name of its own'
        problems.push(
          troubleOf({ code: 'duplicate_name', message, suggestion, at: defined(file).at(path) }),
        )
      }
      names.add(name)
      return channelOf(defined(file), path, name, data, problems)
    }),
  }
}

function channelOf(
  file: File,
  path: readonly (string | number)[],
  name: string,
  data: ChannelData,
  problems: ProblemFacts[],
): AlertChannel {
  const { kind, url, secret, from, to, user } = data
  const isMail = kind === 'email'
  function report(message: string, suggestion: string, key?: string): void {
    if (file.isFaulty(path)) return
    const at = key === undefined ? file.at(path) : file.at([...path, key])
    problems.push(troubleOf({ message: `alerts, ${name}: ${message}`, suggestion, at }))
  }
  if (isMail && (from === undefined || to === undefined))
    report('email needs from and to', 'add them')
  if (!isMail && (from ?? to ?? user) !== undefined)
    report('from, to and user are for email', 'take them away')
  if (isMail && user !== undefined && secret === undefined)
    report('has a user, but no password', 'add secret')
  if (typeof url === 'string' && !isAddress(url, isMail)) {
    report(
      'url is not an address',
      isMail ? 'write smtps://mail.example.org' : 'write https://…',
      'url',
    )
  }
  const settings = { from, to: typeof to === 'object' ? to.join(', ') : to, user }
  return {
    name,
    kind,
    url: typeof url === 'string' ? { text: url } : secretOf(file, url),
    secret: secret === undefined ? undefined : secretOf(file, secret),
    settings: Object.fromEntries(
      Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  }
}

function isAddress(text: string, isMail: boolean): boolean {
  const protocol = URL.parse(text)?.protocol ?? ''
  return (isMail ? ['smtp:', 'smtps:'] : ['http:', 'https:']).includes(protocol)
}

const usualApi = { github: 'https://api.github.com', gitlab: 'https://gitlab.com/api/v4' } as const

function commitStatusOf(file: File, problems: ProblemFacts[]): readonly CommitStatusDeclared[] {
  return (file.data.commitStatus ?? []).flatMap((data, index) => {
    const { kind, repository, token } = data
    const api = data.api ?? (kind === 'gitea' ? undefined : usualApi[kind])
    if (api === undefined) {
      const message = `commitStatus[${index}]: gitea has no usual address`
      const suggestion = 'add api: https://git.example.org/api/v1'
      problems.push(troubleOf({ message, suggestion, at: file.at(['commitStatus', index]) }))
      return []
    }
    return [{ kind, api: api.replace(/(?<!\/)\/+$/, ''), repository, token: secretOf(file, token) }]
  })
}

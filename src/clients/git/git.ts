/** Runs git alone: no settings of the machine or the user, no hooks, no prompts, no protocol that starts programs. */
import { run, type Ran } from '#clients/command/run.ts'
import type { Access } from './access.ts'

export type Git = {
  /** The variables that children may see: PATH, proxies, certificates. */
  readonly around: Readonly<Record<string, string | undefined>>
}

type GitCommand = {
  readonly words: readonly string[]
  readonly signal: AbortSignal
  /** ms */
  readonly limit: number
  /** The bare repository it works in. */
  readonly folder?: string
  readonly input?: string
  readonly access?: Access
  /** The protocols that git may speak; by default none. */
  readonly protocols?: string
  /** No file that git writes grows beyond so many bytes. */
  readonly mostBytes?: number
  readonly most?: number
  /** A file without secrets, which git and what it starts on this machine read. */
  readonly settingsFile?: string
}

export async function runGit(git: Git, command: GitCommand): Promise<Ran> {
  const { words, signal, limit, input, most, mostBytes } = command
  const place = command.folder === undefined ? [] : [`--git-dir=${command.folder}`]
  return run({
    ...program([...place, ...words], mostBytes),
    environment: environmentOf(git, command),
    folder: '/',
    signal,
    limit,
    ...(input === undefined ? {} : { input }),
    ...(most === undefined ? {} : { most }),
  })
}

/** Only the system can stop a pack that is too large: git itself has no limit for what it fetches. */
function program(words: readonly string[], mostBytes: number | undefined) {
  if (mostBytes === undefined) return { program: 'git', arguments: words }
  const blocks = Math.max(1, Math.ceil(mostBytes / 512))
  const script = 'ulimit -c 0; ulimit -f "$0" && exec git "$@"'
  return { program: 'sh', arguments: ['-c', script, String(blocks), ...words] }
}

const always: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.askPass', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['fetch.unpackLimit', '1'],
  ['fetch.writeCommitGraph', 'false'],
  ['protocol.version', '2'],
  ['submodule.recurse', 'false'],
  ['http.lowSpeedLimit', '100'],
  ['http.lowSpeedTime', '30'],
  ['http.userAgent', 'tend'],
  ['advice.detachedHead', 'false'],
]

const passedOn = [
  'PATH',
  'TMPDIR',
  'http_proxy',
  'https_proxy',
  'HTTPS_PROXY',
  'no_proxy',
  'NO_PROXY',
  'all_proxy',
  'ALL_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
]

/** HOME is not set, because git would look for passwords in its .netrc. */
function environmentOf(git: Git, command: GitCommand): Record<string, string | undefined> {
  const settings = [...always, ...(command.access?.settings ?? [])]
  const numbered = settings.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ])
  return {
    ...Object.fromEntries(passedOn.map((name) => [name, git.around[name]])),
    LC_ALL: 'C',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: command.settingsFile ?? '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_ALLOW_PROTOCOL: command.protocols ?? 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(numbered),
    ...command.access?.environment,
  }
}

/** What git said when it failed, as a problem: whether trying again may help, what to do, and no credential in it. */
import { CommandError } from '#clients/command/command-error.ts'
import { Problem, type ProblemFacts } from '#model/problem.ts'

type Row = {
  readonly said: RegExp
  readonly what: string
  readonly todo: string
  readonly isRecoverable?: boolean
}

/** The first row that fits counts, so the most special ones come first. */
const table: readonly Row[] = [
  {
    said: /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed|No \S+ host key is known/i,
    what: 'the key of the ssh host is not one of the known hosts',
    todo: 'Compare it with what its operator publishes, then put the line of `ssh-keyscan HOST` in the known hosts.',
  },
  {
    said: /Load key .*(error in libcrypto|invalid format|incorrect passphrase|bad permissions)/i,
    what: 'the ssh key cannot be used',
    todo: 'Give a private key without a passphrase, whole, as ssh-keygen wrote it.',
  },
  {
    said: /Permission denied \(|Too many authentication failures/i,
    what: 'the ssh host refuses the key',
    todo: 'Add its public half as a deploy key of the repository, with read access.',
  },
  {
    said: /Authentication failed|could not read (Username|Password)|terminal prompts disabled|returned error: 40[137]|HTTP Basic: Access denied/i,
    what: 'access is denied',
    todo: 'Give a token that may read the repository, or renew one that has expired.',
  },
  {
    said: /certificate|SSL_?ERROR|gnutls_handshake|SSL routines/i,
    what: 'the certificate of the host is not trusted',
    todo: 'Name the file of its certificate authority in GIT_SSL_CAINFO or SSL_CERT_FILE.',
  },
  {
    said: /not our ref|couldn't find remote ref|unadvertised object|no such remote ref|upload-pack: not our/i,
    what: 'the commit or ref is not there any more',
    todo: 'Check the ref; after a forced push the next refresh finds the new commit.',
  },
  {
    said: /dubious ownership|unsafe repository/i,
    what: 'the repository belongs to another user',
    todo: 'Run as its owner, or give the folder to this user.',
  },
  {
    said: /returned error: 404|Repository not found|repository '.*' not found|does not appear to be a git repo|does not exist|not a git repository|No such file or directory|project you were looking for could not be found/i,
    what: 'there is no such repository, or it is hidden from this credential',
    todo: 'Check the address, and that the credential may read it.',
  },
  {
    said: /No space left on device|Disk quota exceeded/i,
    what: 'there is no space left for its files',
    todo: 'Free some space where the cache lies.',
    isRecoverable: true,
  },
  {
    said: /transport '.*' not allowed/i,
    what: 'its protocol is not allowed',
    todo: 'Use https, http, ssh, file or an absolute path.',
  },
  {
    said: /resolve host|Name or service not known|name resolution|nodename nor servname/i,
    what: 'the name of its host is not known',
    todo: 'Check the address, and that names can be looked up from here; it is tried again.',
    isRecoverable: true,
  },
  {
    said: /Connection refused|Couldn't connect to server/i,
    what: 'its host refuses the connection',
    todo: 'Check that the host can be reached from here, and its port; it is tried again.',
    isRecoverable: true,
  },
  {
    said: /No route to host|Network is unreachable/i,
    what: 'there is no way to its host',
    todo: 'Check that the host can be reached from here; it is tried again.',
    isRecoverable: true,
  },
  {
    said: /timed out|Operation too slow/i,
    what: 'its host does not answer in time',
    todo: 'Check that the host can be reached from here; it is tried again.',
    isRecoverable: true,
  },
  {
    said: /connect to|Connection (reset|closed)|kex_exchange|early EOF|RPC failed|unexpected disconnect|hung up|returned error: (429|5\d\d)|Empty reply/i,
    what: 'its host does not answer as it should',
    todo: 'Check that the host can be reached from here; it is tried again.',
    isRecoverable: true,
  },
  {
    said: /died of signal|File size limit exceeded|File too large|invalid index-pack output/i,
    what: 'it is larger than the limit, or unpacking it was ended',
    todo: 'Raise the limit on size, or keep large files out of the repository.',
  },
]

export type Failure = {
  /** The address in a form that may be shown: `https://host/path`. */
  readonly shown: string
  readonly doing: string
  readonly secrets: readonly string[]
}

/** Rethrows what is no failure of git or of the files: an abort, a problem. */
export function gitProblem(error: unknown, failure: Failure): Problem {
  const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : ''
  if (code !== '') return fileProblem(String(code), failure, error)
  if (!(error instanceof CommandError)) throw error
  const { startFailure, hasTimedOut, limit, errorOutput } = error.facts
  const details = linesOf(masked(errorOutput, failure.secrets))
  const where = `${failure.shown}: ${failure.doing} failed`
  const facts = { type: 'runtime', code: 'git_error', details } as const
  if (startFailure !== undefined) return notInstalled(error, where)
  if (hasTimedOut) return new Problem({ ...facts, ...tookTooLong(where, limit) })
  const row = table.find(({ said }) => said.test(errorOutput))
  const message = row === undefined ? `${where}: ${lastWords(details)}` : `${where}: ${row.what}`
  return new Problem({
    ...facts,
    message,
    suggestion: row?.todo,
    recoverable: row === undefined || row.isRecoverable === true,
  })
}

/** Writing failed: for want of space, or because two things of one name are in the commit. */
function fileProblem(code: string, { shown, doing }: Failure, cause: unknown): Problem {
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  const isTwice = ['EEXIST', 'ENOTDIR', 'EISDIR', 'ELOOP'].includes(code)
  const why = isFull
    ? 'there is no space left for its files'
    : isTwice
      ? 'the commit holds two things of one name'
      : `its files can't be written (${code})`
  const suggestion = isTwice
    ? 'Nothing of this commit is used. Find out who made it.'
    : 'Free some space where the cache lies, and see that this user may write there.'
  const message = `${shown}: ${doing} failed: ${why}`
  const recoverable = !isTwice
  return new Problem({
    type: 'runtime',
    code: 'git_error',
    message,
    suggestion,
    recoverable,
    cause,
  })
}

/** Not what a server said but what git found in the cache: a reason to make it again. */
export function isUnexplained(error: unknown): boolean {
  if (!(error instanceof CommandError)) return false
  const { startFailure, hasTimedOut, errorOutput } = error.facts
  if (startFailure !== undefined || hasTimedOut) return false
  return isOfCache(errorOutput) || !table.some(({ said }) => said.test(errorOutput))
}

function isOfCache(said: string): boolean {
  return /not a git repository: '|bad object|loose object|packfile|pack has bad|shallow file|corrupt|unresolved delta|index file|bad config|unable to (read|open) (object|pack)/i.test(
    said,
  )
}

/** Old servers give only what their refs point at; then git on this machine refuses to ask. */
export function isNotAdvertised(error: unknown): boolean {
  const said = error instanceof CommandError ? error.facts.errorOutput : ''
  return /does not allow request for unadvertised object/i.test(said)
}

/** Hides tokens, their encoded forms, and whatever stands before an @ in an address. */
export function masked(text: string, secrets: readonly string[]): string {
  let safe = text
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    if (secret !== '') safe = safe.replaceAll(secret, '***')
  }
  return safe.replace(/(\w+:\/\/)[^\s/@]+:[^\s/@]*@/g, '$1***@')
}

/** The lines without control characters: what a server sends reaches terminals. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.replace(/\p{Cc}/gu, '').trim())
  return lines.filter((line) => line !== '').slice(-5)
}

function lastWords(details: readonly string[]): string {
  return details.at(-1)?.replace(/^(fatal|error): /, '') ?? 'git said nothing'
}

function tookTooLong(
  where: string,
  limit: number | undefined,
): Pick<ProblemFacts, 'message' | 'suggestion' | 'recoverable'> {
  const given = limit === undefined ? '' : `, it was given ${limit / 1000} s`
  return {
    message: `${where}: it took too long${given}`,
    suggestion: 'Check that the host can be reached from here; it is tried again.',
    recoverable: true,
  }
}

function notInstalled(error: CommandError, where: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'git_error',
    message: `${where}: ${error.message}`,
    suggestion: 'Install git (and openssh-client for ssh), and see that it is on the PATH.',
  })
}

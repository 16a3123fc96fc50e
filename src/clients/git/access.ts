/** Credentials on their way to git: in the environment of one child or in memory, never on disk or a command line. */
import type { Address } from './address.ts'
import { namelessFile, type NamelessFile } from './nameless-file.ts'

export type GitCredential =
  | { readonly kind: 'token'; readonly user: string; readonly token: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'ssh'; readonly key: string; readonly knownHosts: string | undefined }
  /** No login at all: neither keys nor the agent nor settings of the operator are used. It is for addresses that the operator did not write. */
  | { readonly kind: 'nobody' }

export type Access = {
  readonly environment: Readonly<Record<string, string>>
  readonly settings: readonly (readonly [string, string])[]
  /** Texts that no message may show. */
  readonly secrets: readonly string[]
  close(): void
}

const none: Access = { environment: {}, settings: [], secrets: [], close() {} }

/** `around` is the operator's environment: it says where memory is, and names the agent where no key is given. */
export function openAccess(
  address: Address,
  credential: GitCredential | undefined,
  around: Readonly<Record<string, string | undefined>>,
): Access {
  if (address.kind === 'ssh') return overSsh(credential, around)
  if (address.kind === 'http' && credential?.kind === 'token') return withToken(address, credential)
  if (address.kind === 'http' && credential?.kind === 'bearer') {
    return withHeader(address, credential.token)
  }
  return none
}

/** No redirect is followed, because a header would go along with it. The header is in the environment and not on a command line. */
function withHeader({ origin }: Address, token: string): Access {
  const header = `Authorization: Bearer ${token}`
  return {
    environment: {},
    settings: [
      [`http.${origin}.extraHeader`, header],
      ['http.followRedirects', 'false'],
    ],
    secrets: formsOf('', token),
    close() {},
  }
}

/**
 * A helper that git asks, and only for this origin: a header would follow a redirect to another host. The shell's own
 * printf leaves nothing on a command line.
 */
function withToken(address: Address, { user, token }: GitCredential & { kind: 'token' }): Access {
  const answer = `printf 'username=%s\\npassword=%s\\n' "$TEND_GIT_USER" "$TEND_GIT_TOKEN"`
  return {
    environment: { TEND_GIT_USER: user, TEND_GIT_TOKEN: token },
    settings: [
      [`credential.${address.origin}.helper`, `!f() { test "$1" = get && ${answer}; }; f`],
    ],
    secrets: formsOf(user, token),
    close() {},
  }
}

function formsOf(user: string, token: string): readonly string[] {
  const base64 = [token, `${user}:${token}`].map((text) => Buffer.from(text).toString('base64'))
  return [...new Set([token, encodeURIComponent(token), ...base64])].filter((form) => form !== '')
}

function overSsh(
  credential: GitCredential | undefined,
  around: Readonly<Record<string, string | undefined>>,
): Access {
  const files: NamelessFile[] = []
  function inMemory(text: string): string {
    const folders = [around['XDG_RUNTIME_DIR'], '/dev/shm', '/run'].filter((path) => path)
    const file = namelessFile(text.endsWith('\n') ? text : `${text}\n`, folders.map(String))
    files.push(file)
    return file.path
  }
  const options = sshOptions(credential, inMemory).flatMap((option) => ['-o', option])
  // ssh finds the folder of the operator without $HOME: only without settings does it know no other keys
  const isOperator = credential?.kind !== 'ssh' && credential?.kind !== 'nobody'
  const words = ['ssh', ...(isOperator ? [] : ['-F', 'none']), ...options]
  const agent = credential === undefined ? around['SSH_AUTH_SOCK'] : undefined
  return {
    environment: {
      GIT_SSH_COMMAND: words.join(' '),
      GIT_SSH_VARIANT: 'ssh',
      ...(agent === undefined ? {} : { SSH_AUTH_SOCK: agent }),
    },
    settings: [],
    secrets: credential?.kind === 'ssh' ? [credential.key.trim()] : [],
    close: () => files.forEach((file) => file.close()),
  }
}

/** Switches off every login that the operator has on this machine. */
const withoutLogin = [
  'IdentityFile=none',
  'IdentitiesOnly=yes',
  'IdentityAgent=none',
  'PubkeyAuthentication=no',
  'HostbasedAuthentication=no',
  'GSSAPIAuthentication=no',
  'PasswordAuthentication=no',
  'KbdInteractiveAuthentication=no',
  'ForwardAgent=no',
]

/** An unknown or changed host key is always refused. Without a key of ours the operator's own settings and agent serve. */
function sshOptions(
  credential: GitCredential | undefined,
  inMemory: (text: string) => string,
): readonly string[] {
  const always = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    'UpdateHostKeys=no',
    'ConnectTimeout=15',
    'ServerAliveInterval=15',
    'ControlPath=none',
    'PermitLocalCommand=no',
  ]
  if (credential?.kind === 'nobody') return [...always, ...withoutLogin]
  if (credential?.kind !== 'ssh') return always
  const key = `IdentityFile=${inMemory(credential.key)}`
  const own = [...always, key, 'IdentitiesOnly=yes', 'IdentityAgent=none']
  if (credential.knownHosts === undefined) return own
  const known = inMemory(credential.knownHosts)
  return [...own, `UserKnownHostsFile=${known}`, 'GlobalKnownHostsFile=/dev/null']
}

/** What the mount options of a volume of NFS or CIFS may be. An allow-list: programs that mount know options that read files of the host. */

const flags = {
  any: 'ro rw nosuid nodev noexec noatime relatime nodiratime sync async _netdev',
  nfs: 'hard soft softerr intr nointr tcp udp lock nolock ac noac cto nocto acl noacl rdirplus nordirplus resvport noresvport sharecache nosharecache',
  cifs: 'hard soft guest forceuid noforceuid forcegid noforcegid noperm perm serverino noserverino unix nounix posix noposix brl nobrl mfsymlinks mapposix mapchars nomapchars nocase dynperm seal nodfs',
} as const

/** Options that may be set, to any value. */
const settings = {
  nfs: 'addr clientaddr vers nfsvers minorversion proto port mountproto mountport mountaddr mountvers rsize wsize bsize timeo retrans retry acregmin acregmax acdirmin acdirmax actimeo namlen nconnect lookupcache local_lock sec',
  cifs: 'addr ip port vers username user password pass domain dom workgroup uid gid file_mode dir_mode rsize wsize bsize actimeo cache iocharset nosharesock sec echo_interval handletimeout',
} as const

/** The values that `sec` may have. Kerberos is not among them: it would use what the host itself is logged in with. */
const plainLogins = new Set(['sys', 'none', 'ntlm', 'ntlmv2', 'ntlmssp'])

type Family = 'nfs' | 'cifs'

const families = new Map<string, Family>([
  ['nfs', 'nfs'],
  ['nfs4', 'nfs'],
  ['cifs', 'cifs'],
  ['smb3', 'cifs'],
])

export function isNetworkMount(type: string): boolean {
  return families.has(type)
}

/** What is not known to be harmless, by name alone, because a value may be a password; the device when it is no place on a server. */
export function oddOptions(
  type: string,
  device: string,
  words: readonly string[],
): readonly string[] {
  const family = families.get(type)
  if (family === undefined) return []
  const known = new Set([flags.any, flags[family]].flatMap((names) => names.split(' ')))
  const valued = new Set(settings[family].split(' '))
  const odd = words.flatMap((word) => {
    const [name = '', value] = word.split('=', 2)
    if (value === undefined) return known.has(name) ? [] : [`the mount option ${name}`]
    if (name === 'sec' && !plainLogins.has(value)) return [`the mount option sec=${value}`]
    return valued.has(name) ? [] : [`the mount option ${name}`]
  })
  const isServer = family === 'nfs' ? /^[^-/][^/]*:|^:/ : /^(\/\/|\\\\)/
  return isServer.test(device) ? odd : [`the device ${device || 'that is not named'}`, ...odd]
}

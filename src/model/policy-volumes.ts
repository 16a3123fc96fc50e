/** What the driver and the options of a volume ask of the host. An allow-list: whatever is not known to be harmless is asked for. */
import { isNetworkMount, oddOptions } from './network-mounts.ts'
import { asksOfPath, type Ask } from './policy.ts'

const harmlessFlags = new Set(['ro', 'rw', 'nosuid', 'nodev', 'noexec', 'noatime', 'relatime'])
const harmlessSettings = /^(size|nr_inodes|mode|uid|gid)=[0-9a-zA-Z%]+$/
const ownSettings = /^(size|uid|gid|inodes)=[0-9a-zA-Z]+$/

/** A volume can be a mount in disguise: `{ type: none, o: bind, device: /etc }`, a disk, a mount that is moved. */
export function asksOfVolume(
  driver: string,
  options: Readonly<Record<string, string>>,
  roots: readonly string[],
): readonly Ask[] {
  if (!['', 'local'].includes(driver)) {
    return [{ rule: 'volumeDrivers', what: `a volume of the driver ${driver}` }]
  }
  const { type = '', device = '', o = '', ...others } = options
  const words = o.split(',').filter((word) => word !== '')
  const unknown = Object.keys(others)
  const odd: readonly Ask[] = [{ rule: 'outsideBinds', what: `a volume of ${shown(options)}` }]
  if (unknown.length > 0) return odd
  if (type === '' && device === '') return words.every(isOwnSetting) ? [] : odd
  if (isNetworkMount(type)) {
    const what = `a volume of ${type} ${device}`.trim()
    const asks = oddOptions(type, device, words).map((one): Ask => ({
      rule: 'outsideBinds',
      what: `${one} of ${what}`,
    }))
    return [{ rule: 'networkVolumes', what }, ...asks]
  }
  if (type === 'tmpfs' && ['', 'tmpfs', 'none'].includes(device)) {
    return words.every(isHarmless) ? [] : odd
  }
  return isPlainBind(type, words) ? asksOfPath(device, roots) : odd
}

const memoryFlags = new Set([
  ...harmlessFlags,
  'exec',
  'suid',
  'private',
  'rprivate',
  'tmpcopyup',
  'notmpcopyup',
])

/** `text`: a folder in memory as a service has it, `path` or `path:options`. */
export function asksOfMemory(text: string): readonly Ask[] {
  const at = text.indexOf(':')
  if (at < 0) return []
  const words = text.slice(at + 1).split(',')
  return words
    .filter((word) => !memoryFlags.has(word) && !harmlessSettings.test(word))
    .map((word) => ({
      rule: 'outsideBinds',
      what: `the option ${word} of tmpfs ${text.slice(0, at)}`,
      instead: 'write size, mode, uid, gid, nr_inodes, ro, noexec and the like alone',
    }))
}

/** Values of mount options may be passwords: only their names are told. */
function shown({ type, device, o = '', ...others }: Readonly<Record<string, string>>): string {
  const words = o.split(',').flatMap((word) => word.split('=')[0] || [])
  const parts = [
    ...(type === undefined ? [] : [`type ${type}`]),
    ...(device === undefined ? [] : [`device ${device}`]),
    ...(words.length === 0 ? [] : [`mount options ${words.join(',')}`]),
    ...Object.keys(others).map((name) => `option ${name}`),
  ]
  return parts.join(', ')
}

function isHarmless(word: string): boolean {
  return harmlessFlags.has(word) || harmlessSettings.test(word)
}

/** Without a type and a device Podman takes them for the owner and the size of a plain volume. */
function isOwnSetting(word: string): boolean {
  return ownSettings.test(word)
}

function isPlainBind(type: string, words: readonly string[]): boolean {
  const isBind = (word: string): boolean => word === 'bind' || word === 'rbind'
  const rest = words.filter((word) => !isBind(word) && word !== 'ro' && word !== 'rw')
  return words.some(isBind) && rest.length === 0 && ['', 'none'].includes(type)
}

/** Texts that are secrets whatever they are called: tokens of well-known makers, private keys, passwords inside an address. */

export const mask = '******'

/** `hint`: without this text in it a text need not be searched. `shown`: what takes the place of a match. */
type Shape = { readonly hint: string; readonly pattern: RegExp; readonly shown: string }

/** Every repetition has an end, and begins behind a fixed text, so that a long line costs no more than its length. */
const shapes: readonly Shape[] = [
  {
    hint: '://',
    pattern: /(:\/\/[^/\s@:"'\\]{0,256}):[^/\s@"'\\]{1,1024}@/g,
    shown: `$1:${mask}@`,
  },
  {
    hint: 'eyJ',
    pattern: /\beyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{0,4096}/g,
    shown: mask,
  },
  {
    hint: 'PRIVATE KEY',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^"']*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?=["'])|$)/g,
    shown: mask,
  },
  { hint: 'AGE-SECRET-KEY-', pattern: /AGE-SECRET-KEY-[A-Z0-9-]{20,4096}/gi, shown: mask },
  { hint: 'AKIA', pattern: /\bAKIA[A-Z0-9]{16}\b/g, shown: mask },
  { hint: 'ASIA', pattern: /\bASIA[A-Z0-9]{16}\b/g, shown: mask },
  { hint: 'gh', pattern: /\bgh[pousr]_[A-Za-z0-9]{30,255}/g, shown: mask },
  { hint: 'github_pat_', pattern: /\bgithub_pat_\w{20,255}/g, shown: mask },
  { hint: 'glpat-', pattern: /\bglpat-[\w-]{16,255}/g, shown: mask },
  { hint: 'xox', pattern: /\bxox[abceoprs]-[\w-]{10,255}/g, shown: mask },
  { hint: 'xapp-', pattern: /\bxapp-[\w-]{10,255}/g, shown: mask },
  {
    hint: 'hooks.slack.com/',
    pattern: /(hooks\.slack\.com\/[a-z]{1,20})\/[\w/-]{8,255}/g,
    shown: `$1/${mask}`,
  },
  {
    hint: '/api/webhooks/',
    pattern: /(\/api\/webhooks)\/\d{1,30}\/[\w-]{8,255}/g,
    shown: `$1/${mask}`,
  },
  { hint: '_live_', pattern: /\b[sr]k_live_[A-Za-z0-9]{10,255}/g, shown: mask },
  { hint: 'AIza', pattern: /\bAIza[\w-]{35}/g, shown: mask },
  { hint: 'npm_', pattern: /\bnpm_[A-Za-z0-9]{36}/g, shown: mask },
  {
    hint: ' ',
    pattern: /\b(Bearer|Basic) [\w+/.~-]{12,4096}={0,2}/g,
    shown: `$1 ${mask}`,
  },
  {
    hint: '=',
    pattern:
      /\b((?:password|passwd|pwd|secret|AccountKey|SharedAccessKey|access_token|api_?key)=)(?![*/$])[^;,&\s"'\\]{1,1024}/gi,
    shown: `$1${mask}`,
  },
]

/** Whether a text holds one of them. */
export function hasSecretShape(text: string): boolean {
  return withoutSecretShapes(text) !== text
}

/** The text without them; itself where it holds none. */
export function withoutSecretShapes(text: string): string {
  let shown = text
  for (const { hint, pattern, shown: instead } of shapes) {
    if (shown.includes(hint)) shown = shown.replaceAll(pattern, instead)
  }
  return shown
}

/** Shorter ones stand by chance inside many a word: they count only where they stand alone. */
const shortest = 4

/** Whether a text has one of these values in it. */
export function holdsSecret(text: string, secrets: Iterable<string>): boolean {
  for (const secret of secrets) {
    if (secret.length >= shortest ? text.includes(secret) : standsIn(text, secret)) return true
  }
  return false
}

function standsIn(text: string, secret: string): boolean {
  return secret !== '' && (text === secret || text.split(/[^A-Za-z0-9]+/).includes(secret))
}

/** The text without these values, the longest first: one may be a part of another. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
  const long = [...secrets].toSorted((one, other) => other.length - one.length)
  let shown = text
  for (const secret of long) {
    if (secret.length >= shortest) {
      shown = shown.replaceAll(secret, mask)
      // as it stands in a quoted text
      const quoted = JSON.stringify(secret).slice(1, -1)
      if (quoted !== secret) shown = shown.replaceAll(quoted, mask)
    } else if (standsIn(shown, secret)) {
      shown = shown
        .split(/([^A-Za-z0-9]+)/)
        .map((part) => (part === secret ? mask : part))
        .join('')
    }
  }
  return shown
}

/** A deep copy of plain data whose texts are without secrets; the very same value where there are none. */
export function mapTexts<Data>(data: Data, change: (text: string) => string): Data {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same shape comes out: only texts are changed
  return changed(data, change) as Data
}

function changed(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => changed(item, change))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const isPlain = Object.getPrototypeOf(value) === Object.prototype
  if (!isPlain) return value
  let copy: Record<string, unknown> | undefined
  for (const [key, item] of Object.entries(value)) {
    const made = changed(item, change)
    if (made === item) continue
    copy ??= { ...value }
    copy[key] = made
  }
  return copy ?? value
}

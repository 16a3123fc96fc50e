/** The short syntax of a service's volumes, `[source:]target[:options]`. */
import { defined } from '#model/defined.ts'

export type Volume = {
  readonly type: 'bind' | 'volume'
  readonly source: string
  readonly target: string
  readonly isReadOnly: boolean
  /** undefined when the entry has no such section at all */
  readonly bind: { readonly propagation: string; readonly selinux: string } | undefined
  readonly isNoCopy: boolean
  /** one- and two-letter texts are taken for a bare target, without a `volume` section */
  readonly isBare: boolean
  /** options that mean nothing */
  readonly unknown: readonly string[]
}

/** The volume that a text stands for, or why it stands for none. */
export function parseVolume(spec: string): Volume | string {
  if (spec === '') return 'an empty text is not a volume'
  if (new TextEncoder().encode(spec).length <= 2) {
    return {
      type: 'volume',
      source: '',
      target: spec,
      isReadOnly: false,
      bind: undefined,
      isNoCopy: false,
      isBare: true,
      unknown: [],
    }
  }
  const sections = split(spec)
  if (sections.includes('')) return 'there is an empty section between colons'
  if (sections.length > 3) return 'there are too many colons'
  const [source, target] =
    sections.length === 1
      ? ['', defined(sections[0])]
      : [defined(sections[0]), defined(sections[1])]
  const options = sections[2]?.split(',') ?? []
  const propagation = options.findLast((option) => propagations.has(option)) ?? ''
  const selinux = options.findLast((option) => option === 'z' || option === 'Z') ?? ''
  const isBind = isFilePath(source)
  const hasBind = isBind || propagation !== '' || selinux !== ''
  return {
    type: isBind ? 'bind' : 'volume',
    source,
    target,
    isReadOnly: options.findLast((option) => option === 'ro' || option === 'rw') === 'ro',
    bind: hasBind ? { propagation, selinux } : undefined,
    isNoCopy: options.includes('nocopy'),
    isBare: false,
    unknown: options.filter((option) => !known.has(option)),
  }
}

const propagations = new Set(['rprivate', 'private', 'rshared', 'shared', 'rslave', 'slave'])
const known = new Set([...propagations, 'ro', 'rw', 'z', 'Z', 'nocopy'])

/** Splits at colons, except those of a drive letter and inside `${…}`, which stands there when nothing is interpolated. */
function split(spec: string): string[] {
  const sections: string[] = []
  let section = ''
  let open = 0
  let last = ''
  for (const character of spec) {
    if (character === '{' && last === '$') open++
    else if (character === '}' && open > 0) open--
    const isSeparator = character === ':' && open === 0 && !/^\p{L}$/u.test(section)
    if (isSeparator) sections.push(section)
    section = isSeparator ? '' : section + character
    last = character
  }
  return [...sections, section]
}

function isFilePath(source: string): boolean {
  return /^(?:[./~]|\\\\|\p{L}:)/u.test(source)
}

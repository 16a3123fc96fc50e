/** Ranges of versions as Flux's objects write them: `>=1.0.0 <2.0.0`, `~1.2`, `^1`, `1.x`, `1.2 - 1.4`, `*`, joined by `||`. */
import { defined } from '#model/defined.ts'

type Version = {
  readonly numbers: readonly [number, number, number]
  readonly before: readonly string[]
}

type Bound = { readonly is: '<' | '<=' | '>' | '>=' | '=' | '!='; readonly version: Version }

type VersionRange = { has(version: string): boolean }

/** Undefined when it can't be read. */
export function versionRange(text: string): VersionRange | undefined {
  const choices = text.split('||').map(boundsOf)
  const known = choices.filter((bounds) => bounds !== undefined)
  if (known.length < choices.length) return undefined
  // versions before a release count only where the range speaks of such
  const takesEarly = /\d-[0-9A-Za-z]/.test(text.replaceAll(/\s-\s/g, ' '))
  return {
    has(name) {
      const version = versionOf(name)
      if (version === undefined || (version.before.length > 0 && !takesEarly)) return false
      return known.some((bounds) => bounds.every((bound) => fits(bound, version)))
    },
  }
}

/** The newest tag of a range; `v` in front is allowed. */
export function newestIn(range: VersionRange, names: readonly string[]): string | undefined {
  const fitting = names.filter((name) => range.has(name))
  return fitting.toSorted((a, b) => compare(defined(versionOf(b)), defined(versionOf(a))))[0]
}

const whole = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/

function versionOf(text: string): Version | undefined {
  const found = whole.exec(text)
  if (found === null) return undefined
  const [, major = '0', minor = '0', patch = '0', before = ''] = found
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    before: before === '' ? [] : before.split('.'),
  }
}

function boundsOf(text: string): readonly Bound[] | undefined {
  const spans = text.replaceAll(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2')
  const parts = spans.replaceAll(/([<>=!~^]+)\s+/g, '$1').split(/[\s,]+/)
  const words = parts.filter((part) => part !== '')
  if (words.length === 0) return []
  const all = words.map(wordBounds)
  return all.includes(undefined) ? undefined : all.flatMap((bounds) => bounds ?? [])
}

function wordBounds(word: string): readonly Bound[] | undefined {
  const found = /^(=|!=|>=|=>|<=|=<|>|<|~>|~|\^)?v?([0-9xX*].*)$/.exec(word)
  if (found === null) return undefined
  const [, sign = '=', rest = ''] = found
  const open = rest.split(/[.+-]/, 3).findIndex((part) => /^[xX*]$/.test(part))
  const numbers = defined(rest.split(/[+-]/)[0]).split('.')
  const given = open >= 0 ? open : Math.min(numbers.length, 3)
  const version = versionOf(open >= 0 ? numbers.slice(0, open).join('.') || '0' : rest)
  if (version === undefined) return undefined
  if (given === 0) return []
  return signed(sign, version, given)
}

function signed(sign: string, version: Version, given: number): readonly Bound[] {
  const from: Bound = { is: '>=', version }
  switch (sign) {
    case '^':
      return [from, below(version, firstCounting(version, given))]
    case '~':
    case '~>':
      return [from, below(version, Math.min(given - 1, 1))]
    case '=':
      return given === 3 ? [{ is: '=', version }] : [from, below(version, given - 1)]
    case '>':
      return given === 3
        ? [{ is: '>', version }]
        : [{ is: '>=', version: next(version, given - 1) }]
    case '<=':
    case '=<':
      return given === 3 ? [{ is: '<=', version }] : [below(version, given - 1)]
    case '=>':
      return [from]
    default:
      return [{ is: sign === '<' || sign === '!=' ? sign : '>=', version }]
  }
}

/** What a caret keeps: the first number that is not nought. */
function firstCounting({ numbers }: Version, given: number): number {
  const index = numbers.findIndex((number) => number > 0)
  return index < 0 ? given - 1 : Math.min(index, given - 1)
}

function below(version: Version, place: number): Bound {
  return { is: '<', version: next(version, place) }
}

function next({ numbers }: Version, place: number): Version {
  const [major, minor, patch] = numbers
  if (place === 0) return { numbers: [major + 1, 0, 0], before: [] }
  if (place === 1) return { numbers: [major, minor + 1, 0], before: [] }
  return { numbers: [major, minor, patch + 1], before: [] }
}

function fits({ is, version }: Bound, other: Version): boolean {
  const order = compare(other, version)
  if (is === '=') return order === 0
  if (is === '!=') return order !== 0
  if (is === '<') return order < 0
  if (is === '<=') return order <= 0
  return is === '>' ? order > 0 : order >= 0
}

function compare(one: Version, other: Version): number {
  for (const index of [0, 1, 2] as const) {
    const difference = one.numbers[index] - other.numbers[index]
    if (difference !== 0) return difference
  }
  if (one.before.length === 0 || other.before.length === 0) {
    return other.before.length - one.before.length
  }
  const length = Math.max(one.before.length, other.before.length)
  for (let index = 0; index < length; index++) {
    const order = comparePart(one.before[index], other.before[index])
    if (order !== 0) return order
  }
  return 0
}

function comparePart(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined)
    return one === other ? 0 : one === undefined ? -1 : 1
  const [first, second] = [one, other].map((part) =>
    /^\d+$/.test(part) ? Number(part) : undefined,
  )
  if (first !== undefined && second !== undefined) return first - second
  if (first !== undefined || second !== undefined) return first === undefined ? 1 : -1
  return one < other ? -1 : one > other ? 1 : 0
}

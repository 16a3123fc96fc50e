/** Version constraints: groups joined by ||, each a list of comparisons that must all hold. */
import { goRegExp, type Pattern } from '../../regexp/go-regexp.ts'
import { GoError } from '../errors.ts'
import { quote } from '../quote.ts'
import { comparePrereleases, compareVersions, parseVersion, type Version } from './version.ts'
import { defined } from '#model/defined.ts'

/** A part left out or written as x leaves the version dirty from that part on. */
type Comparison = {
  readonly operator: string
  readonly version: Version
  readonly isDirty: boolean
  readonly isMinorDirty: boolean
  readonly isPatchDirty: boolean
}

const operators = '=||!=|>|<|>=|=>|<=|=<|~|~>|\\^'
const version =
  'v?([0-9|x|X|\\*]+)(\\.[0-9|x|X|\\*]+)?(\\.[0-9|x|X|\\*]+)?' +
  '(-([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?(\\+([0-9A-Za-z\\-]+(\\.[0-9A-Za-z\\-]+)*))?'
/** Upstream's patterns, on an engine like upstream's: on JavaScript's own a constraint of forty versions takes for ever. */
const one = lazily(`^\\s*(${operators})\\s*(${version})\\s*$`)
const each = lazily(`(${operators})\\s*(${version})`)
const range = lazily(`\\s*(${version})\\s+-\\s+(${version})\\s*`)
const valid = lazily(
  `^(\\s*(${operators})\\s*(${version})\\s*)((?:\\s+|,\\s*)(${operators})\\s*(${version})\\s*)*$`,
)

function lazily(source: string): () => Pattern {
  let compiled: Pattern | undefined
  return () => (compiled ??= goRegExp(source))
}

/** The texts of the groups of every match; a group that took no part is empty. */
function textsOf(pattern: Pattern, text: string): string[][] {
  const all: string[][] = []
  for (let from = 0; from <= text.length;) {
    const found = pattern.find(text, from)
    if (found === undefined) break
    all.push(pattern.names.map((_, i) => text.slice(found[i * 2], found[i * 2 + 1])))
    from = defined(found[1])
  }
  return all
}
const longest = 1024
const mostGroups = 32

/** Whether the version satisfies the constraint; throws for a constraint that cannot be read. */
export function satisfies(constraint: string, text: string): boolean {
  const groups = parseConstraint(constraint)
  const candidate = parseVersion(text)
  return groups.some((group) => {
    const takesPre = group.some(({ version: { pre } }) => pre !== '')
    if (candidate.pre !== '' && !takesPre) return false
    return group.every((comparison) => holds(candidate, comparison))
  })
}

function parseConstraint(text: string): Comparison[][] {
  if (text.length > longest)
    throw new GoError(`constraint string is too long (max ${longest} bytes)`)
  const groups = withoutRanges(text).split('||')
  if (groups.length > mostGroups)
    throw new GoError(`too many constraint groups (max ${mostGroups})`)
  return groups.map((group) => {
    if (!valid().test(group)) throw new GoError(`improper constraint: ${quote(group)}`)
    return textsOf(each(), group).map(([whole = '']) => parseComparison(whole))
  })
}

/** `1.2 - 1.4` is `>= 1.2, <= 1.4`. */
function withoutRanges(text: string): string {
  let out = text
  if (!/\s-\s/.test(text)) return out
  for (const match of textsOf(range(), text)) {
    out = out.replace(defined(match[0]), () => `>= ${match[1]}, <= ${match[11]} `)
  }
  return out
}

function parseComparison(text: string): Comparison {
  const [found] = textsOf(one(), text)
  if (found === undefined) throw new GoError(`improper constraint: ${quote(text)}`)
  const [, operator = '', whole = '', major = '', minor = '', patch = '', pre = ''] = found
  const isAnyMajor = isOpen(major)
  const isMinorDirty = !isAnyMajor && isOpen(minor)
  const isPatchDirty = !isAnyMajor && !isMinorDirty && isOpen(patch)
  let plain = whole
  if (isAnyMajor) plain = `0.0.0${pre}`
  else if (isMinorDirty) plain = `${major}.0.0${pre}`
  else if (isPatchDirty) plain = `${major}${minor}.0${pre}`
  return {
    operator,
    version: constraintVersion(plain),
    isDirty: isAnyMajor || isMinorDirty || isPatchDirty,
    isMinorDirty,
    isPatchDirty,
  }
}

function constraintVersion(text: string): Version {
  try {
    return parseVersion(text)
  } catch {
    throw new GoError('constraint parser error')
  }
}

function isOpen(part: string): boolean {
  return /^\.?[xX*]?$/.test(part) && part !== '.'
}

function holds(candidate: Version, comparison: Comparison): boolean {
  const { version: wanted, isDirty, isMinorDirty, isPatchDirty } = comparison
  const compared = compareVersions(candidate, wanted)
  switch (comparison.operator) {
    case '':
    case '=':
      return isDirty ? isTilde(candidate, comparison) : compared === 0
    case '!=':
      return isDirty ? isNotEqual(candidate, comparison) : compared !== 0
    case '>':
      if (!isDirty) return compared > 0
      if (candidate.major !== wanted.major) return candidate.major > wanted.major
      if (isMinorDirty) return false
      return isPatchDirty ? candidate.minor > wanted.minor : compared > 0
    case '<':
      return compared < 0
    case '>=':
    case '=>':
      return compared >= 0
    case '<=':
    case '=<':
      if (!isDirty) return compared <= 0
      if (candidate.major > wanted.major) return false
      return candidate.major !== wanted.major || candidate.minor <= wanted.minor || isMinorDirty
    case '~':
    case '~>':
      return isTilde(candidate, comparison)
    default:
      return isCaret(candidate, comparison)
  }
}

function isNotEqual(
  candidate: Version,
  { version: wanted, isMinorDirty, isPatchDirty }: Comparison,
): boolean {
  if (wanted.major !== candidate.major) return true
  if (isMinorDirty) return false
  if (wanted.minor !== candidate.minor) return true
  if (!isPatchDirty)
    return wanted.patch !== candidate.patch || compareVersions(candidate, wanted) !== 0
  return candidate.pre + wanted.pre !== '' && comparePrereleases(candidate.pre, wanted.pre) !== 0
}

function isTilde(
  candidate: Version,
  { version: wanted, isMinorDirty, isPatchDirty }: Comparison,
): boolean {
  if (compareVersions(candidate, wanted) < 0) return false
  const isZero = wanted.major === 0n && wanted.minor === 0n && wanted.patch === 0n
  if (isZero && !isMinorDirty && !isPatchDirty) return true
  return candidate.major === wanted.major && (candidate.minor === wanted.minor || isMinorDirty)
}

function isCaret(
  candidate: Version,
  { version: wanted, isMinorDirty, isPatchDirty }: Comparison,
): boolean {
  if (compareVersions(candidate, wanted) < 0) return false
  if (wanted.major > 0n || isMinorDirty) return candidate.major === wanted.major
  if (candidate.major > 0n) return false
  if (wanted.minor > 0n || isPatchDirty) return candidate.minor === wanted.minor
  return candidate.minor === 0n && candidate.patch === wanted.patch
}

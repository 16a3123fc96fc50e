/** Fills in what variables of FROM stand for, so that engines are given the very image that was judged. */
import type { Dockerfile, Instruction, Pair } from './instruction.ts'
import { NotUnderstood } from './refused.ts'
import { literalOf, merged, type Part, type Variable, type Word } from './words.ts'

const machines = ['', 'amd64', 'arm64', 'arm', '386', 'ppc64le', 's390x', 'riscv64']
const variants = ['', 'v5', 'v6', 'v7', 'v8']

/** Those that engines set by themselves, and all that they may be. */
const given: Readonly<Record<string, readonly string[]>> = {
  TARGETARCH: machines,
  BUILDARCH: machines,
  TARGETOS: ['', 'linux'],
  BUILDOS: ['', 'linux'],
  TARGETVARIANT: variants,
  BUILDVARIANT: variants,
  TARGETPLATFORM: machines.map((one) => (one === '' ? '' : `linux/${one}`)),
  BUILDPLATFORM: machines.map((one) => (one === '' ? '' : `linux/${one}`)),
}

type Said = Readonly<Record<string, string>>

export type Resolved = {
  readonly dockerfile: Dockerfile
  /** By name: what those that an engine sets may be here. */
  readonly given: ReadonlyMap<string, readonly string[]>
}

/** `said`: the arguments of the build, which count more than what the file says. Throws NotUnderstood. */
export function resolveVariables(dockerfile: Dockerfile, said: Said): Resolved {
  const values = new Map<string, Word>()
  const all = new Map<string, readonly string[]>()
  for (const [name, known] of Object.entries(given)) {
    values.set(name, [{ name }])
    all.set(name, [...known, ...(Object.hasOwn(said, name) ? [said[name] ?? ''] : [])])
  }
  const first = dockerfile.findIndex(({ keyword }) => keyword === 'FROM')
  const resolved = dockerfile.map((one, index) => {
    if (index < (first < 0 ? Infinity : first)) return heading(one, values, all, said)
    return one.keyword === 'FROM' ? beginning(one, values) : one
  })
  return { dockerfile: resolved, given: all }
}

/** Above the first FROM there is nothing but ARG. */
function heading(
  one: Instruction,
  values: Map<string, Word>,
  all: Map<string, readonly string[]>,
  said: Said,
): Instruction {
  if (one.keyword !== 'ARG') {
    throw new NotUnderstood(one.line, `${one.keyword} above the first FROM`, 'begin with FROM')
  }
  const seen = new Set<string>()
  const pairs = one.pairs.map(({ name, value }): Pair => {
    const isGiven = Object.hasOwn(given, name)
    if (seen.has(name) || (values.has(name) && !isGiven)) {
      throw new NotUnderstood(one.line, `ARG ${name} said twice above FROM`, 'say it once')
    }
    seen.add(name)
    const own = value && filled(value, values, one.line)
    if (isGiven) all.set(name, [...(all.get(name) ?? []), ...possible(own ?? [], all, one.line)])
    else values.set(name, Object.hasOwn(said, name) ? [said[name] ?? ''] : (own ?? []))
    return own === undefined ? { name } : { name, value: own }
  })
  return { ...one, pairs }
}

function beginning(
  one: Instruction & { readonly keyword: 'FROM' },
  values: ReadonlyMap<string, Word>,
): Instruction {
  const image = filled(one.image, values, one.line)
  const flags = one.flags.map((flag) =>
    flag.value === undefined ? flag : { ...flag, value: filled(flag.value, values, one.line) },
  )
  return { ...one, image, flags }
}

/** A variable that no ARG names is empty. What a variable stands for is not looked into again: engines do not either. */
function filled(word: Word, values: ReadonlyMap<string, Word>, line: number): Word {
  const parts = word.flatMap((part): readonly Part[] => {
    if (typeof part === 'string') return [part]
    const other = part.other && filled(part.other, values, line)
    if (Object.hasOwn(given, part.name)) return [{ ...part, ...(other && { other }) }]
    const value = values.get(part.name) ?? []
    if (part.sign === undefined) return value
    const known = literalOf(value)
    if (known === undefined) throw untold(part, line)
    if (part.sign === ':-') return known === '' ? (other ?? []) : value
    return known === '' ? [] : (other ?? [])
  })
  return merged(parts)
}

function untold({ name }: Variable, line: number): NotUnderstood {
  const what = `the variable ${name}, of which can't be told what it is,`
  return new NotUnderstood(line, what, 'write it out, or give its ARG a plain default')
}

/** More than that nobody writes by mistake. */
const mostValues = 64

/** All that a word may be, whichever machine it is built for. */
export function possible(
  word: Word,
  all: ReadonlyMap<string, readonly string[]>,
  line: number,
): readonly string[] {
  let found: readonly string[] = ['']
  for (const part of word) {
    const next =
      typeof part === 'string'
        ? [part]
        : [...(all.get(part.name) ?? ['']), ...possible(part.other ?? [], all, line)]
    const longer = new Set(found.flatMap((before) => next.map((one) => before + one)))
    if (longer.size > mostValues) {
      const what = 'variables that may stand for too many things'
      throw new NotUnderstood(line, what, 'write it out')
    }
    found = [...longer]
  }
  return found
}

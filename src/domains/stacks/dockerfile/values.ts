/** What the variables in a FROM of a Dockerfile may stand for: all that they can be, or nothing where that can't be told. */
import { argumentsOf, type Instruction } from './instructions.ts'

/** By name. */
export type Values = ReadonlyMap<string, readonly string[]>

const machines = ['', 'amd64', 'arm64', 'arm', '386', 'ppc64le', 's390x', 'riscv64']

/** Those that engines set by themselves. */
const given: Values = new Map([
  ['TARGETARCH', machines],
  ['BUILDARCH', machines],
  ['TARGETOS', ['', 'linux']],
  ['BUILDOS', ['', 'linux']],
  ['TARGETVARIANT', ['', 'v5', 'v6', 'v7', 'v8']],
  ['BUILDVARIANT', ['', 'v5', 'v6', 'v7', 'v8']],
])

/** More than that nobody writes by mistake. */
const mostValues = 64

/**
 * `said`: the arguments of the build, which count more than what the file says. `heading`: up to which line an ARG counts for FROM;
 * undefined where engines may differ in that, and all of them may count.
 */
export function valuesIn(
  instructions: readonly Instruction[],
  said: Readonly<Record<string, string>>,
  heading: number | undefined,
): Values {
  const values = new Map(given)
  // Podman fills some in also where no ARG names them
  for (const [name, value] of Object.entries(said)) {
    values.set(name, [...(given.get(name) ?? ['']), value])
  }
  for (const one of instructions) {
    if (one.keyword !== 'ARG' || one.line > (heading ?? one.line)) continue
    for (const word of argumentsOf(one)) {
      const at = word.indexOf('=')
      const name = at < 0 ? word : word.slice(0, at)
      const told = Object.hasOwn(said, name) ? said[name] : undefined
      const own = at < 0 ? [''] : (expanded(word.slice(at + 1), values) ?? [])
      const before = values.get(name) ?? []
      // two of the same name may count in different places
      const all = told === undefined ? [...before, ...own] : [told]
      const known = heading === undefined ? [...before, ...own, ...all] : all
      values.set(name, [...new Set(known)].slice(0, mostValues + 1))
    }
  }
  return values
}

const variable = /\$(?:(\w+)|\{(\w+)(?:(:?[-+])([^${}]*))?\})/

/** Undefined: there are too many, or it is written in a way that is not known here. */
export function expanded(text: string, values: Values): readonly string[] | undefined {
  let all: readonly string[] = [text]
  for (let round = 0; round < 16; round += 1) {
    if (!all.some((one) => one.includes('$'))) return all
    const next = new Set<string>()
    for (const one of all) {
      const found = variable.exec(one)
      if (found === null) {
        if (one.includes('$')) return undefined
        next.add(one)
        continue
      }
      const [whole, plain, braced, sign = '', other = ''] = found
      const known = values.get(plain ?? braced ?? '') ?? ['']
      // what a variable stands for is not looked into again: engines do not either
      if (known.length === 0 || known.some((value) => value.includes('$'))) return undefined
      const alternatives = sign === '' ? known : [...known, other]
      for (const value of alternatives) {
        next.add(one.slice(0, found.index) + value + one.slice(found.index + whole.length))
      }
    }
    if (next.size > mostValues) return undefined
    all = [...next]
  }
  return undefined
}

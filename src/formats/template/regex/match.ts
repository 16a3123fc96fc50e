/** Runs a program over a text, all threads side by side: time grows with text × program, never more. */
import type { Budget } from '../budget.ts'
import { decodeRune } from '../bytes.ts'
import { parseRegex } from './parse.ts'
import { program, type Instruction } from './program.ts'
import type { Assertion } from './syntax.ts'

/** Start and end of the whole match, then of each group; -1 for a group that took no part. */
export type Found = readonly number[]
export type Pattern = {
  readonly source: string
  readonly names: readonly string[]
  /** The leftmost match at or after the position; of several there, the one that Perl would take. */
  find(text: string, from: number): Found | undefined
}

export function pattern(source: string, budget: Budget): Pattern {
  budget.text(source)
  const { tree, names } = parseRegex(source)
  const code = program(tree, source)
  budget.spend(code.length)
  return { source, names, find: (text, from) => search(code, names.length * 2, text, from, budget) }
}

type Thread = { readonly at: number; readonly saved: readonly number[] }

function search(
  code: readonly Instruction[],
  slots: number,
  text: string,
  from: number,
  budget: Budget,
): Found | undefined {
  const fresh: readonly number[] = Array.from({ length: slots }, () => -1)
  const seen = new Uint32Array(code.length)
  let generation = 0
  let threads: Thread[] = []
  let found: Found | undefined

  /** Follows all that needs no character, in order of preference. */
  function add(list: Thread[], start: number, saves: readonly number[], position: number): void {
    const pending: Thread[] = [{ at: start, saved: saves }]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { at, saved } = next
      if (seen[at] === generation) continue
      seen[at] = generation
      const instruction = code[at]
      if (instruction === undefined) continue
      switch (instruction.kind) {
        case 'jump':
          pending.push({ at: instruction.to, saved })
          break
        case 'split':
          pending.push({ at: instruction.second, saved }, { at: instruction.first, saved })
          break
        case 'save':
          pending.push({ at: at + 1, saved: saved.with(instruction.slot, position) })
          break
        case 'assert':
          if (holds(instruction.what, text, position)) pending.push({ at: at + 1, saved })
          break
        case 'rune':
        case 'match':
          list.push(next)
      }
    }
  }

  for (let position = from; ;) {
    generation++
    const current = threads
    threads = []
    if (found === undefined) current.push(...startHere(position, current))
    if (current.length === 0 && found !== undefined) return found
    budget.spend(1 + (current.length >> 1))
    const { rune, size } = decodeRune(text, position)
    generation++
    for (const thread of current) {
      const instruction = code[thread.at]
      if (instruction?.kind === 'match') {
        found = thread.saved
        break
      }
      if (instruction?.kind === 'rune' && size > 0 && instruction.test(rune)) {
        add(threads, thread.at + 1, thread.saved, position + size)
      }
    }
    if (size === 0) return found
    position += size
  }

  /** A new thread is worth less than all that began further left. */
  function startHere(position: number, current: readonly Thread[]): Thread[] {
    for (const { at } of current) seen[at] = generation
    const started: Thread[] = []
    add(started, 0, fresh, position)
    return started
  }
}

function holds(what: Assertion, text: string, position: number): boolean {
  switch (what) {
    case 'textStart':
      return position === 0
    case 'textEnd':
      return position === text.length
    case 'lineStart':
      return position === 0 || text[position - 1] === '\n'
    case 'lineEnd':
      return position === text.length || text[position] === '\n'
    case 'word':
      return isWordAt(text, position - 1) !== isWordAt(text, position)
    case 'noWord':
      return isWordAt(text, position - 1) === isWordAt(text, position)
  }
}

function isWordAt(text: string, position: number): boolean {
  return /[0-9A-Za-z_]/.test(text[position] ?? '')
}

/** Each match in turn; an empty one right after another is left out. */
export function findAll(given: Pattern, text: string, most: number): Found[] {
  const all: Found[] = []
  let previousEnd = -1
  for (let position = 0; all.length < most && position <= text.length;) {
    const found = given.find(text, position)
    if (found === undefined) break
    const [start = 0, end = 0] = found
    const isAccepted = end !== position || start !== previousEnd
    position = end === position ? position + Math.max(decodeRune(text, position).size, 1) : end
    previousEnd = end
    if (isAccepted) all.push(found)
  }
  return all
}

/** Regular expressions as Go has them: what Go refuses is refused, and no pattern takes longer than its text is long. */
import { readAtom, refuse, type Flags, type Scan } from './atoms.ts'
import { type Program, runs } from './run.ts'

export type Pattern = { test(text: string): boolean }

export function goRegExp(pattern: string): Pattern {
  const scan: Scan = { pattern: Array.from(pattern), text: pattern, at: 0 }
  const tree = alternatives(scan, { i: false, m: false, s: false })
  if (scan.at < scan.pattern.length) refuse(scan)
  const program: Program = []
  emit(tree, program, scan)
  program.push({ op: 'match' })
  return { test: (text) => runs(program, Array.from(text)) }
}

/** A pattern taken apart. */
export type Tree =
  | { readonly kind: 'letter'; readonly fits: (code: number) => boolean }
  | { readonly kind: 'edge'; readonly fits: (before: number, after: number) => boolean }
  | { readonly kind: 'all'; readonly parts: readonly Tree[] }
  | { readonly kind: 'any'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly part: Tree; readonly from: number; readonly to: number }

function alternatives(scan: Scan, given: Flags): Tree {
  const flags = { ...given }
  const parts: Tree[] = []
  for (;;) {
    parts.push(sequence(scan, flags))
    if (scan.pattern[scan.at] !== '|') break
    scan.at++
  }
  return parts.length === 1 ? parts[0]! : { kind: 'any', parts }
}

function sequence(scan: Scan, flags: { -readonly [Name in keyof Flags]: Flags[Name] }): Tree {
  const parts: Tree[] = []
  for (;;) {
    const letter = scan.pattern[scan.at]
    if (letter === undefined || letter === '|' || letter === ')') break
    const part = letter === '(' ? group(scan, flags) : readAtom(scan, flags)
    if (part === undefined) continue
    parts.push(repeated(scan, part))
  }
  return { kind: 'all', parts }
}

/** Flags without a colon hold from here on. */
function group(
  scan: Scan,
  flags: { -readonly [Name in keyof Flags]: Flags[Name] },
): Tree | undefined {
  const rest = scan.pattern.slice(scan.at, scan.at + 80).join('')
  const name = /^\(\?P?<(\w+)>/.exec(rest)
  const setting = /^\(\?([imsU]*)(?:-([imsU]+))?(:|\))/.exec(rest)
  if (name === null && setting === null && rest.startsWith('(?')) refuse(scan)
  const inner = { ...flags }
  for (const flag of ['i', 'm', 's'] as const) {
    if (setting?.[1]?.includes(flag) === true) inner[flag] = true
    if (setting?.[2]?.includes(flag) === true) inner[flag] = false
  }
  scan.at += (name ?? setting)?.[0].length ?? 1
  if (setting?.[3] === ')') {
    Object.assign(flags, inner)
    return undefined
  }
  const tree = alternatives(scan, inner)
  if (scan.pattern[scan.at] !== ')') refuse(scan)
  scan.at++
  return tree
}

function repeated(scan: Scan, part: Tree): Tree {
  const range = rangeAt(scan)
  if (range === undefined) return part
  if (scan.pattern[scan.at] === '?') scan.at++
  if (rangeAt(scan) !== undefined) refuse(scan)
  return { kind: 'repeat', part, from: range[0], to: range[1] }
}

function rangeAt(scan: Scan): readonly [number, number] | undefined {
  const letter = scan.pattern[scan.at]
  if (letter === '*' || letter === '+' || letter === '?') {
    scan.at++
    return [letter === '+' ? 1 : 0, letter === '?' ? 1 : Infinity]
  }
  const found = /^\{(\d+)(?:(,)(\d*))?\}/.exec(scan.pattern.slice(scan.at, scan.at + 20).join(''))
  if (found === null) return undefined
  scan.at += found[0].length
  const from = Number(found[1])
  const to = found[2] === undefined ? from : found[3] === '' ? Infinity : Number(found[3])
  if (from > 1000 || (to > 1000 && to !== Infinity) || to < from) refuse(scan)
  return [from, to]
}

/** More than any pattern of use needs. */
const limit = 20_000

function emit(tree: Tree, program: Program, scan: Scan): void {
  if (program.length > limit) refuse(scan)
  switch (tree.kind) {
    case 'letter':
      program.push({ op: 'letter', fits: tree.fits })
      return
    case 'edge':
      program.push({ op: 'edge', fits: tree.fits })
      return
    case 'all':
      for (const part of tree.parts) emit(part, program, scan)
      return
    case 'any':
      emitAny(tree.parts, program, scan)
      return
    case 'repeat':
      emitRepeat(tree, program, scan)
      return
  }
}

function emitAny(parts: readonly Tree[], program: Program, scan: Scan): void {
  const ends: number[] = []
  for (const [i, part] of parts.entries()) {
    if (i === parts.length - 1) {
      emit(part, program, scan)
      break
    }
    const fork = program.push({ op: 'fork', to: [0, 0] }) - 1
    emit(part, program, scan)
    ends.push(program.push({ op: 'fork', to: [0, 0] }) - 1)
    program[fork] = { op: 'fork', to: [fork + 1, program.length] }
  }
  for (const end of ends) program[end] = { op: 'fork', to: [program.length, program.length] }
}

function emitRepeat(tree: Tree & { readonly kind: 'repeat' }, program: Program, scan: Scan): void {
  for (let i = 0; i < tree.from; i++) emit(tree.part, program, scan)
  if (tree.to === Infinity) {
    const fork = program.push({ op: 'fork', to: [0, 0] }) - 1
    emit(tree.part, program, scan)
    program.push({ op: 'fork', to: [fork, fork] })
    program[fork] = { op: 'fork', to: [fork + 1, program.length] }
    return
  }
  const forks: number[] = []
  for (let i = tree.from; i < tree.to; i++) {
    forks.push(program.push({ op: 'fork', to: [0, 0] }) - 1)
    emit(tree.part, program, scan)
  }
  for (const fork of forks) program[fork] = { op: 'fork', to: [fork + 1, program.length] }
}

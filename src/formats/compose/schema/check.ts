/** What may stand where, as data, and the check of a tree against it. All problems are found, not the first. */
import { problemAt, type ComposeProblem } from '../compose-error.ts'
import {
  describe,
  type FloatNode,
  type IntNode,
  type ListNode,
  type MapNode,
  type Node,
} from '../yaml/node.ts'
import type { Release } from '../canonical/release.ts'
import type { Path } from '../merge/path-rules.ts'
import { didYouMean } from './suggest.ts'

/** The kinds of value that are allowed, each with its own conditions. */
export type Rule = {
  readonly text?: {
    readonly values?: readonly string[]
    readonly like?: RegExp
    readonly likeSince5?: RegExp
  }
  /** a key that release 2 does not know */
  readonly since?: 5
  readonly number?: Bounds
  /** a number without a fraction */
  readonly whole?: Bounds
  readonly flag?: true
  readonly null?: true
  readonly list?: { readonly items: Rule; readonly isUnique?: boolean }
  readonly map?: MapRule
}

type Bounds = { readonly from?: number; readonly to?: number }

export type MapRule = {
  readonly keys?: Readonly<Record<string, Rule>>
  readonly required?: readonly string[]
  /** keys that users choose, and what stands under them */
  readonly others?: { readonly like: RegExp; readonly rule: Rule }
  /** any key beside those is let through unchecked */
  readonly isOpen?: boolean
  /** keys that start with `x-` are let through */
  readonly hasExtensions?: boolean
}

type Checking = { readonly release: Release; readonly problems: ComposeProblem[] }

export function checkSchema(
  node: Node,
  rule: Rule,
  release: Release,
  path: Path = [],
): readonly ComposeProblem[] {
  const problems: ComposeProblem[] = []
  check(node, rule, path, { release, problems })
  return problems
}

function check(node: Node, rule: Rule, path: Path, checking: Checking): void {
  if (node.kind === 'map' && rule.map !== undefined) return checkMap(node, rule.map, path, checking)
  if (node.kind === 'list' && rule.list !== undefined)
    return checkList(node, rule.list, path, checking)
  if (node.kind === 'int' || node.kind === 'float') {
    const bounds = isWhole(node) ? (rule.number ?? rule.whole) : rule.number
    if (bounds !== undefined) return checkBounds(node, bounds, path, checking)
  }
  // release 5 checks the model as JSON, in which a date is text
  if (node.kind === 'time' && rule.text !== undefined && checking.release === 5) return
  if (node.kind === 'text' && rule.text !== undefined) {
    const { values } = rule.text
    const like = (checking.release === 5 ? rule.text.likeSince5 : undefined) ?? rule.text.like
    if (values !== undefined && !values.includes(node.value)) {
      const suggestion = didYouMean(node.value, values)
      const message = `${name(path)} must be one of ${values.join(', ')}, not "${node.value}"`
      checking.problems.push(problemAt(node.place, message, suggestion))
    } else if (like !== undefined && !like.test(node.value)) {
      checking.problems.push(problemAt(node.place, `${name(path)} cannot be "${node.value}"`))
    }
    return
  }
  if ((node.kind === 'flag' && rule.flag) || (node.kind === 'null' && rule.null)) return
  const message = `${name(path)} must be ${wanted(rule)}, not ${describe(node)}`
  checking.problems.push(problemAt(node.place, message, adviceFor(node, rule)))
}

function checkMap(node: MapNode, rule: MapRule, path: Path, checking: Checking): void {
  for (const [key, value] of node.entries) {
    const known =
      rule.keys !== undefined && Object.hasOwn(rule.keys, key) ? rule.keys[key] : undefined
    const own = known?.since === 5 && checking.release === 2 ? undefined : known
    if (own !== undefined) check(value, own, [...path, key], checking)
    else if (rule.hasExtensions && key.startsWith('x-')) continue
    else if (rule.others?.like.test(key)) check(value, rule.others.rule, [...path, key], checking)
    else if (!rule.isOpen) checking.problems.push(unknownKey(key, value, rule, path))
  }
  for (const key of rule.required ?? []) {
    if (!node.entries.has(key))
      checking.problems.push(problemAt(node.place, `${name(path)} has no ${key}`, `add ${key}:`))
  }
}

function unknownKey(key: string, value: Node, rule: MapRule, path: Path): ComposeProblem {
  if (rule.keys === undefined) {
    return problemAt(
      value.place,
      `"${key}" is not a valid name in ${name(path)}`,
      'use letters, digits, ".", "_" and "-"',
    )
  }
  return problemAt(
    value.place,
    `${name(path)} has no key "${key}"`,
    didYouMean(key, Object.keys(rule.keys)) ??
      (rule.hasExtensions ? 'keys of your own start with x-' : undefined),
  )
}

function checkList(
  node: ListNode,
  rule: { readonly items: Rule; readonly isUnique?: boolean },
  path: Path,
  checking: Checking,
): void {
  const seen = new Map<string, number>()
  for (const [index, item] of node.items.entries()) {
    check(item, rule.items, [...path, String(index)], checking)
    if (!rule.isUnique) continue
    const identity = identityOf(item)
    const first = seen.get(identity)
    if (first === undefined) seen.set(identity, index)
    else
      checking.problems.push(
        problemAt(
          item.place,
          `${name(path)}: items ${first} and ${index} are the same`,
          'remove one',
        ),
      )
  }
}

function identityOf(node: Node): string {
  if (node.kind === 'list') return `[${node.items.map(identityOf).join()}]`
  if (node.kind === 'null') return 'null'
  if (node.kind !== 'map')
    return node.kind === 'text' ? JSON.stringify(node.value) : String(node.value)
  const entries = [...node.entries].map(
    ([key, value]) => `${JSON.stringify(key)}:${identityOf(value)}`,
  )
  return `{${entries.toSorted().join()}}`
}

function checkBounds(
  node: IntNode | FloatNode,
  { from, to }: Bounds,
  path: Path,
  checking: Checking,
): void {
  const isLow = from !== undefined && node.value < from
  const isHigh = to !== undefined && node.value > to
  if (!isLow && !isHigh) return
  checking.problems.push(
    problemAt(node.place, `${name(path)} must be at ${isLow ? `least ${from}` : `most ${to}`}`),
  )
}

function isWhole(node: IntNode | FloatNode): boolean {
  return node.kind === 'int' || Number.isInteger(node.value)
}

function name(path: Path): string {
  return path.length === 0 ? 'the file' : path.join('.')
}

function wanted(rule: Rule): string {
  const words = [
    rule.text && (rule.text.values?.length === 1 ? `"${rule.text.values[0]}"` : 'text'),
    rule.number && 'a number',
    rule.whole && 'a whole number',
    rule.flag && 'true or false',
    rule.list && 'a list',
    rule.map && 'a mapping',
    rule.null && 'nothing',
  ].filter((word) => word !== undefined)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

const quoteIt = 'write it in quotes'

function adviceFor(node: Node, rule: Rule): string | undefined {
  const isScalar = !['list', 'map', 'null'].includes(node.kind)
  return isScalar && rule.text !== undefined ? quoteIt : undefined
}

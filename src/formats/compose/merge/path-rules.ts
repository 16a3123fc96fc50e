/** Tables of rules by key path, such as `services.*.ports`, and the walk that applies them. Only branches that hold a rule are walked. */
import { ComposeError, throwIfAny, type ComposeProblem } from '../compose-error.ts'
import type { Node } from '../yaml/node.ts'

export type Rules<T> = { rule: T | undefined; readonly children: Map<string, Rules<T>> }

export type Path = readonly string[]

/** `*` stands for any key or item, `[]` for any item of a list. */
export function rulesOf<T>(table: Readonly<Record<string, T>>): Rules<T> {
  const root: Rules<T> = { rule: undefined, children: new Map() }
  for (const [pattern, rule] of Object.entries(table)) {
    let level = root
    for (const part of pattern.split('.')) {
      const next = level.children.get(part) ?? { rule: undefined, children: new Map() }
      level.children.set(part, next)
      level = next
    }
    level.rule = rule
  }
  return root
}

export function under<T>(rules: Rules<T> | undefined, key: string): Rules<T> | undefined {
  return rules?.children.get(key) ?? rules?.children.get('*')
}

/** What a rule gets: the node, where it stands, and a way to go on below it. */
type Rewrite<T> = (rule: T, node: Node, path: Path, below: (node: Node) => Node) => Node

/** Replaces the nodes that rules apply to. A rule decides itself whether what is below it is looked at. */
export function rewrite<T>(node: Node, rules: Rules<T>, apply: Rewrite<T>, path: Path = []): Node {
  const below = (inner: Node) => rewriteBelow(inner, rules, apply, path)
  return rules.rule === undefined ? below(node) : apply(rules.rule, node, path, below)
}

/** The same, but the problems of all rules are thrown together; where one failed the node stays. */
export function rewriteAll<T>(root: Node, rules: Rules<T>, apply: Rewrite<T>): Node {
  const problems: ComposeProblem[] = []
  const result = rewrite(root, rules, (rule, node, path, below) => {
    try {
      return apply(rule, node, path, below)
    } catch (error) {
      if (!(error instanceof ComposeError)) throw error
      problems.push(...error.problems)
      return node
    }
  })
  throwIfAny(problems)
  return result
}

function rewriteBelow<T>(node: Node, rules: Rules<T>, apply: Rewrite<T>, path: Path): Node {
  if (rules.children.size === 0) return node
  if (node.kind === 'list') {
    const next = under(rules, '[]')
    if (next === undefined) return node
    const items = node.items.map((item, i) => rewrite(item, next, apply, [...path, String(i)]))
    return items.some((item, i) => item !== node.items[i]) ? { ...node, items } : node
  }
  if (node.kind !== 'map') return node
  let entries: Map<string, Node> | undefined
  for (const [key, value] of node.entries) {
    const next = under(rules, key)
    if (next === undefined) continue
    const result = rewrite(value, next, apply, [...path, key])
    if (result === value) continue
    entries ??= new Map(node.entries)
    entries.set(key, result)
  }
  return entries === undefined ? node : { ...node, entries }
}

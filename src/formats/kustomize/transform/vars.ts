/** Vars, the older way to carry a value from one resource into the text of others: `$(NAME)`. */
import { KustomizeError, at, fail } from '../error.ts'
import { type FieldSpec, atPath, specsFor } from './field-specs.ts'
import { lookup, splitFieldPath } from '../yaml/fields.ts'
import { type Id, effectiveNamespace, gvkOf, nameOf } from '../names/id.ts'
import { shortest } from '../yaml/numbers.ts'
import { type Node, isNull, isText } from '../yaml/node.ts'
import type { Scalar } from '../yaml/scalar.ts'
import { type Resource, currentId, isGone, previousIds } from '../load/resource.ts'
import { type Var, noId } from '../load/settings.ts'
import { type SecretUse, takenFrom } from './secret-values.ts'
import { defined } from '#model/defined.ts'

export type Vars = ReadonlyMap<string, Var>

/** Remembers on each resource which vars it gives a value to. */
export function claimVars(resources: readonly Resource[], vars: readonly Var[]): void {
  for (const variable of vars) {
    const wanted = targetOf(variable)
    const found = resources.filter((resource) => isMeant(resource, wanted))
    if (found.length > 1) {
      fail(`the var ${variable.name} could mean ${found.length} resources called ${nameOf(wanted)}`)
    }
    const [resource] = found
    if (resource !== undefined) resource.varNames = [...resource.varNames, variable.name ?? '']
  }
}

function targetOf(variable: Var): Id {
  const { apiVersion, ...rest } = { ...noId, ...variable.objref }
  const given = apiVersion ? gvkOf(apiVersion, rest.kind) : rest
  const { group, version } =
    given.group === '' ? { group: rest.group, version: given.version } : given
  return { ...rest, group, version, isClusterScoped: false }
}

/** Without a namespace, any will do. */
function isMeant(resource: Resource, wanted: Id): boolean {
  if (isGone(resource)) return false
  return [...previousIds(resource.node), currentId(resource)].some(
    (id) =>
      id.name === wanted.name &&
      id.group === wanted.group &&
      id.version === wanted.version &&
      id.kind === wanted.kind &&
      (wanted.namespace === '' || effectiveNamespace(id) === effectiveNamespace(wanted)),
  )
}

export function mergeVars(vars: Vars, more: Iterable<Var>): Vars {
  const merged = new Map(vars)
  for (const variable of more) {
    const name = variable.name ?? ''
    if (merged.has(name)) fail(`the var ${name} is declared twice`)
    merged.set(name, variable)
  }
  return merged
}

/** Writes the values of vars wherever they are mentioned; returns the names of those that are not. */
export function resolveVars(
  resources: readonly Resource[],
  vars: Vars,
  specs: readonly FieldSpec[],
  use: SecretUse,
): readonly string[] {
  if (vars.size === 0) return []
  const values = valuesOf(resources, vars, use)
  const used = new Set<string>()
  const concerning = specsFor(specs)
  const set = (node: Node): void => substitute(node, values, used)
  for (const resource of resources) {
    at(resource.place, () => {
      for (const spec of concerning(resource.node)) {
        atPath(resource.node, { path: spec.path, create: false }, { set })
      }
    })
  }
  return [...values.keys()].filter((name) => !used.has(name))
}

const noValue = Symbol('no value')
type Value = Exclude<Scalar, null> | typeof noValue

function valuesOf(resources: readonly Resource[], vars: Vars, use: SecretUse): Map<string, Value> {
  const givers = new Map<string, Resource>()
  for (const resource of resources) {
    for (const name of resource.varNames) if (!givers.has(name)) givers.set(name, resource)
  }
  const values = new Map<string, Value>()
  for (const [name, variable] of vars) {
    const giver = givers.get(name)
    if (giver === undefined) return fail(`the var ${name} means a resource that is not there`)
    const path = variable.fieldref?.fieldPath || 'metadata.name'
    const found = nodeAt(giver, path) ?? missing(giver, name, path)
    const value = valueIn(takenFrom(giver, path, found, use))
    values.set(name, value ?? missing(giver, name, path))
  }
  return values
}

function missing(giver: Resource, name: string, path: string): never {
  throw new KustomizeError(`the var ${name} wants ${path}, which is not there`, giver.place)
}

function nodeAt(resource: Resource, path: string): Node | undefined {
  const parts = splitFieldPath(path).flatMap((part) => {
    const found = /^(.*)\[(\d+)\]$/.exec(part)
    if (found === null) return [part]
    return found[1] === '' ? [defined(found[2])] : [defined(found[1]), defined(found[2])]
  })
  return at(resource.place, () => lookup(resource.node, parts))
}

/** Maps and lists have no value to give: whatever mentions them stays as it is. */
function valueIn(node: Node): Value | undefined {
  if (node.kind !== 'scalar') return noValue
  if (node.tag === '!!int') return /^[-+]?\d+$/.test(node.value) ? BigInt(node.value) : undefined
  if (node.tag === '!!float') return Number(node.value)
  if (node.tag === '!!bool') return /^(?:true|True|TRUE)$/.test(node.value)
  return node.value
}

function substitute(node: Node, values: ReadonlyMap<string, Value>, used: Set<string>): void {
  if (isNull(node)) return
  if (node.kind === 'scalar') {
    if (isText(node)) put(node, expanded(node.value, values, used))
    return
  }
  if (node.kind === 'list') {
    for (const item of node.content) {
      if (!isText(item)) fail('a list in which vars are put holds something that is no text')
      put(item, expanded(item.value, values, used))
    }
    return
  }
  for (let i = 0; i < node.content.length; i += 2) {
    if (!isText(defined(node.content[i])))
      fail(`the key ${defined(node.content[i]).value} is no text`)
    const value = defined(node.content[i + 1])
    if (isText(value)) put(value, expanded(value.value, values, used))
  }
}

function put(node: Node, value: Scalar): void {
  node.style = 0
  if (typeof value === 'string') {
    node.value = value
    node.tag = '!!str'
    return
  }
  const isWhole = typeof value === 'bigint'
  node.tag = isWhole ? '!!int' : typeof value === 'boolean' ? '!!bool' : '!!float'
  node.value = typeof value === 'number' ? plainDecimal(value) : String(value)
}

function plainDecimal(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text
}

/** A text that is nothing but one var keeps the type of its value. `$$` stands for `$`. */
function expanded(text: string, values: ReadonlyMap<string, Value>, used: Set<string>): Scalar {
  let result = ''
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '$' || at + 1 >= text.length) continue
    result += text.slice(start, at)
    const end = text[at + 1] === '(' ? text.indexOf(')', at) : -1
    if (end > 0) {
      const name = text.slice(at + 2, end)
      const value = valueFor(name, values, used)
      if (text === `$(${name})`) return value
      result += typeof value === 'number' ? shortestIn(value) : String(value)
      at = end
    } else {
      result += text[at + 1] === '$' ? '$' : `$${text[at + 1]}`
      at += 1
    }
    start = at + 1
  }
  return result + text.slice(start)
}

function valueFor(name: string, values: ReadonlyMap<string, Value>, used: Set<string>): Scalar {
  const value = values.get(name)
  if (value === undefined || value === noValue) return `$(${name})`
  used.add(name)
  return value
}

/** In the middle of a text numbers get an exponent later. */
function shortestIn(value: number): string {
  const text = String(value)
  return Math.abs(value) >= 1e21 || (value !== 0 && Math.abs(value) < 1e-4) ? shortest(value) : text
}

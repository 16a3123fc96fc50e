/** That another apply would change nothing: known after one, until something moves that could make a difference. */
import { createHash } from 'node:crypto'
import type { JsonRecord } from '#model/json.ts'
import type { Resource } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import { keyOfKind } from './kinds.ts'
import { marksOf } from './marks.ts'
import { learn, type Site } from './memory.ts'
import { nameOfObject } from './object.ts'
import type { IgnoreRule } from './ways.ts'

/** `marks`: of the living object. */
export function isSettled(site: Site, resource: Resource, marks: string): boolean {
  const known = site.settled.get(resource.ref)
  if (known === undefined || known.server !== site.server || known.marks !== marks) return false
  return known.spec === specMark(site, resource)
}

/** After an apply, or a dry run that changed nothing: until one of these moves, another would change nothing either. */
export function settle(
  site: Site,
  resource: Pick<Resource, 'ref' | 'spec'>,
  live: JsonRecord,
): void {
  const { server } = site
  site.settled.set(resource.ref, { spec: specMark(site, resource), marks: marksOf(live), server })
  learn(site, keyOfKind(nameOfObject(resource.spec)), live)
}

/** A spec is hashed once. */
const hashes = new WeakMap<object, string>()

/** Only places of secrets are in it; what they hold is compared each time. */
function specMark({ ways }: Site, { spec }: Pick<Resource, 'spec'>): string {
  return hashOfSpec(spec) + ignoreMark(ways.ignore ?? [])
}

function hashOfSpec(spec: Value): string {
  if (typeof spec !== 'object' || spec === null) return ''
  const known = hashes.get(spec)
  if (known !== undefined) return known
  // another order of fields costs a dry run and nothing else
  const hash = createHash('sha256').update(JSON.stringify(spec)).digest('base64')
  hashes.set(spec, hash)
  return hash
}

function ignoreMark(rules: readonly IgnoreRule[]): string {
  return rules.length === 0 ? '' : JSON.stringify(rules)
}

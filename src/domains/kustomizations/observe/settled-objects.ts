/** That another apply would change nothing: known after one, until something moves that could make a difference. */
import { createHash } from 'node:crypto'
import type { JsonRecord } from '#model/json.ts'
import type { Resource } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import { keyOfKind } from './managed-kinds.ts'
import { marksOf } from './change-marks.ts'
import { learn, type SetContext } from '../memory.ts'
import { nameOfObject } from '../object.ts'
import type { IgnoreRule } from '../apply-options.ts'

/** `marks`: of the living object. */
export function isSettled(context: SetContext, resource: Resource, marks: string): boolean {
  const known = context.settled.get(resource.ref)
  if (known === undefined || known.server !== context.server || known.marks !== marks) return false
  return known.spec === specMark(context, resource)
}

/** After an apply, or a dry run that changed nothing: until one of these moves, another would change nothing either. */
export function settle(
  context: SetContext,
  resource: Pick<Resource, 'ref' | 'spec'>,
  live: JsonRecord,
): void {
  const { server } = context
  context.settled.set(resource.ref, {
    spec: specMark(context, resource),
    marks: marksOf(live),
    server,
  })
  learn(context, keyOfKind(nameOfObject(resource.spec)), live)
}

/** A spec is hashed once. */
const hashes = new WeakMap<object, string>()

/** Only places of secrets are in it; what they hold is compared each time. */
function specMark({ options }: SetContext, { spec }: Pick<Resource, 'spec'>): string {
  return hashOfSpec(spec) + ignoreMark(options.ignore ?? [])
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

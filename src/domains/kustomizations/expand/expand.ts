/** A step on an object as calls: what is checked first, what is applied, how it is taken back. */
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Group, Operation, Step } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import type { Observation } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import { holdsOthers, nameOfObject, wordsOfObject, type ObjectName } from '../object.ts'
import { liveOf } from '../observe/live-object.ts'
import { placeInOrder, stageOf } from '../apply-stages.ts'
import { isWaitedFor, type ApplyOptions } from '../apply-options.ts'

export function expand(options: ApplyOptions, expansion: Expansion): Group {
  const { ref, step, wanted } = expansion
  const name = nameOf(expansion)
  const order = orderOf(expansion)
  return {
    ...emptyGroup(expansion),
    prepare: preparesOf(expansion, name, order),
    make: makesOf(expansion, name, order),
    gate: wanted !== undefined && isWaitedFor(options, wanted.spec, name) ? 'healthy' : 'none',
    subject: subjectOf(name),
    undo: options.keepsFailed === true ? [] : undoOf(expansion, name),
    finish: step === 'delete' ? [{ ...remove(name), after: order.later.get(ref) ?? [] }] : [],
  }
}

export function subjectOf({ apiVersion, kind, namespace, name }: ObjectName): JsonRecord {
  return { apiVersion, kind, namespace, name }
}

function nameOf({ wanted, seen }: Expansion): ObjectName {
  if (wanted !== undefined) return nameOfObject(wanted.spec)
  return nameOfObject(seen.kind === 'present' ? liveOf(seen.live).object : null)
}

type Order = {
  /** What comes before everything else, of this run. */
  readonly first: ReadonlySet<Ref>
  /** What all others wait for: those that come first, and the checks of what could not be checked without them. */
  readonly gates: readonly string[]
  /** One of the others, which waits in the name of all. */
  readonly speaker: Ref | undefined
  /** What webhooks wait for, so that they judge nothing of their own set. */
  readonly rest: readonly Ref[]
  /** What goes before one that goes. */
  readonly later: ReadonlyMap<Ref, readonly Ref[]>
}

/** Once a plan: every step asks. */
const orders = new WeakMap<ReadonlyMap<Ref, Step>, Order>()

function orderOf({ steps, world }: Expansion): Order {
  const known = orders.get(steps)
  if (known !== undefined) return known
  const made = [...steps].filter(([, step]) => step !== 'delete').map(([ref]) => ref)
  const first = new Set(made.filter((ref) => ['first', 'classes'].includes(stageOfRef(ref))))
  const others = made.filter((ref) => !first.has(ref))
  const checks = others.filter((ref) => isWaiting(world, ref)).map((ref) => `${ref}#check`)
  const gates = [...first, ...checks]
  const rest = made.filter((ref) => stageOfRef(ref) !== 'last')
  const later = laterOf([...steps].filter(([, step]) => step === 'delete').map(([ref]) => ref))
  const order = { first, gates, speaker: gates.length > 0 ? others[0] : undefined, rest, later }
  orders.set(steps, order)
  return order
}

function isWaiting(world: Observation, ref: Ref): boolean {
  const seen = world.get(ref)
  return seen !== undefined && seen.kind !== 'unknown' && seen.forecast?.kind === 'waits'
}

/** Removals in the reverse of the order of kinds: each waits for all of the kinds next after it. */
function laterOf(removed: readonly Ref[]): ReadonlyMap<Ref, readonly Ref[]> {
  const places = new Map<number, Ref[]>()
  for (const ref of removed) {
    const place = placeInOrder(bareName(ref))
    places.set(place, [...(places.get(place) ?? []), ref])
  }
  const later = new Map<Ref, readonly Ref[]>()
  let before: readonly Ref[] = []
  for (const [, refs] of [...places].toSorted(([one], [other]) => other - one)) {
    for (const ref of refs) later.set(ref, before)
    before = refs
  }
  return later
}

/** `Kind.group/…` says enough to know its stage. */
function stageOfRef(ref: Ref): ReturnType<typeof stageOf> {
  return stageOf(bareName(ref))
}

function bareName(ref: Ref): ObjectName {
  const [kind = '', ...group] = ref.slice(0, ref.indexOf('/')).split('.')
  return { apiVersion: '', namespace: '', name: '', kind, group: group.join('.') }
}

/** What could not be checked before, for want of its namespace or kind, is checked before anything but those is applied. */
function preparesOf({ ref, seen, wanted }: Expansion, name: ObjectName, order: Order): Operation[] {
  const forecast = seen.kind === 'unknown' ? undefined : seen.forecast
  const operations: Operation[] = []
  if (forecast?.kind === 'waits' && wanted !== undefined) {
    const words = `Checking ${wordsOfObject(name)}`
    const payload = { object: wanted.spec }
    operations.push({ ...quiet, id: 'check', verb: 'check', payload, after: [forecast.for], words })
  }
  if (order.speaker === ref) {
    const words = 'Waiting for what the others live in'
    const after = order.gates.filter((gate) => gate !== `${ref}#check`)
    operations.push({ ...quiet, id: 'stages', verb: 'none', payload: null, after, words })
  }
  return operations
}

const quiet = { disrupts: false } as const

function makesOf(expansion: Expansion, name: ObjectName, order: Order): Operation[] {
  const { ref, step, wanted, seen } = expansion
  if (step === 'delete' || wanted === undefined) return []
  const isEarly = order.first.has(ref) || order.speaker === undefined
  const applied: Operation = {
    ...quiet,
    id: 'apply',
    verb: 'apply',
    payload: { object: wanted.spec, ref } satisfies Value,
    after: [
      ...(isEarly ? [] : [`${order.speaker}#stages`]),
      ...(stageOf(name) === 'last' ? order.rest : []),
    ],
    words: `Applying ${wordsOfObject(name)}`,
    command: `kubectl apply --server-side ${argumentsOf(name)}`,
  }
  if (step !== 'replace') return [applied]
  const words = `Removing ${wordsOfObject(name)}, to make it anew`
  const removed = removal(name, { ref, isAllowed: seen.kind === 'present' })
  return [{ ...removed, id: 'remove', words, disrupts: true }, applied]
}

/** What the run created goes again, save what others may live in by then; the rest is as it was. */
function undoOf({ ref, step }: Expansion, name: ObjectName): readonly Operation[] {
  if (step === 'delete') return []
  if (step === 'create') return holdsOthers(name) ? [] : [{ ...remove(name), verb: 'unmake' }]
  const words = `Putting ${wordsOfObject(name)} back`
  const payload = { ref, name: subjectOf(name) }
  return [{ ...quiet, id: 'restore', verb: 'restore', payload, after: [], words }]
}

function remove(name: ObjectName): Operation {
  return { ...removal(name), words: `Removing ${wordsOfObject(name)}` }
}

/** A replacement was allowed in so many words; an orphan goes only while it says that it is ours. */
function removal(
  name: ObjectName,
  replaced: { readonly ref?: Ref; readonly isAllowed: boolean } = { isAllowed: false },
): Omit<Operation, 'words'> {
  const command = `kubectl delete ${argumentsOf(name)}`
  const payload = { name: subjectOf(name), ...replaced }
  return { ...quiet, id: 'remove', verb: 'delete', payload, after: [], command }
}

function argumentsOf({ kind, namespace, name }: ObjectName): string {
  return `${kind.toLowerCase()}/${name}${namespace === '' ? '' : ` -n ${namespace}`}`
}

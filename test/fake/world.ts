/** A small world in memory with the shape of a container engine: names, states, spares, and calls that can fail. */
import type { Kind, Target } from '#model/domain.ts'
import { canonical, hashOf, isRecord, type Json } from '#model/json.ts'
import type { Group, Operation, Step } from '#model/plan.ts'
import { Problem } from '#model/problem.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Need, Observed } from '#model/resource.ts'

export type Thing = {
  readonly ref: Ref
  readonly spec: Json
  readonly needs: readonly Need[]
  readonly state: 'created' | 'running' | 'stopped'
}

export type Fault = 'permanent' | 'transient' | 'cut before' | 'cut after' | 'kill'

export class Killed extends Error {}

export type World = {
  readonly things: Map<string, Thing>
  readonly calls: { readonly verb: string; readonly object: string }[]
  /** What the call of this number (from 0) does instead of succeeding. Transient ones fail once. */
  fault: { readonly call: number; readonly fault: Fault } | undefined
  /** Objects whose spec says so never become healthy. */
  readonly target: Target
  readonly kind: Kind
}

export function fakeWorld(): World {
  const things = new Map<string, Thing>()
  const calls: { verb: string; object: string }[] = []
  const world: World = { things, calls, fault: undefined, target: targetOf(), kind: fakeKind }

  function call(operation: Operation): void {
    const { verb } = operation
    const payload: Json = operation.payload
    const plain = isRecord<Json>(payload) ? payload : {}
    const object = text(plain['object'])
    const number = calls.length
    calls.push({ verb, object })
    const fault = world.fault?.call === number ? world.fault.fault : undefined
    if (fault === 'kill') throw new Killed()
    if (fault === 'permanent') throw failure(false)
    if (fault === 'transient' || fault === 'cut before') throw failure(true)
    act(verb, object, plain)
    if (fault === 'cut after') throw failure(true)
  }

  function act(verb: string, object: string, plain: { readonly [key: string]: Json }): void {
    const thing = things.get(object)
    switch (verb) {
      case 'create': {
        if (thing === undefined) things.set(object, made(plain))
        return
      }
      case 'start':
      case 'stop':
        if (thing === undefined) throw failure(false)
        things.set(object, { ...thing, state: verb === 'start' ? 'running' : 'stopped' })
        return
      case 'rename': {
        const to = text(plain['to'])
        if (thing === undefined && things.has(to)) return
        if (thing === undefined || things.has(to)) throw failure(false)
        things.delete(object)
        things.set(to, thing)
        return
      }
      case 'remove':
        things.delete(object)
        return
      case 'restore': {
        const kept = things.get(`${object}~prev`)
        if (kept !== undefined) {
          things.delete(`${object}~prev`)
          things.set(object, kept)
        }
        const back = things.get(object)
        if (back !== undefined) things.set(object, { ...back, state: 'running' })
        things.delete(`${object}~next`)
        return
      }
      default:
        return
    }
  }

  function targetOf(): Target {
    return {
      async observe({ wanted }) {
        await Promise.resolve()
        const world = new Map<Ref, Observed>()
        for (const { ref } of wanted) world.set(ref, { kind: 'absent' })
        for (const [object, thing] of things) {
          const ref = object.replace(/~.*/, '')
          const main = things.get(ref) ?? things.get(`${ref}~prev`) ?? thing
          const spares = ['~next', '~prev'].map((end) => ref + end).filter((o) => things.has(o))
          const { spec, needs, state } = main
          world.set(ref, {
            kind: 'present',
            recorded: { hash: hashOf(spec), spec, needs },
            outputs: { object: ref },
            live: { state, hasMain: things.has(ref) },
            spares,
          })
        }
        return world
      },
      async operate(operation) {
        await new Promise((resolve) => setImmediate(resolve))
        call(operation)
        return { object: operation.id }
      },
      async look(ref) {
        await Promise.resolve()
        const thing = things.get(ref)
        const isBad = isRecord<Json>(thing?.spec) && thing.spec['isUnhealthy'] === true
        return isBad || thing?.state !== 'running'
          ? { state: 'failed', message: 'it answered 500' }
          : { state: 'ok', message: 'fine' }
      },
      async *watch() {
        await Promise.resolve()
        yield ''
      },
    }
  }
  return world
}

function made(plain: { readonly [key: string]: Json }): Thing {
  const needs: Need[] = []
  if (Array.isArray(plain['needs'])) {
    for (const need of plain['needs']) {
      if (isRecord<Json>(need))
        needs.push({ ref: text(need['ref']), until: 'exists', renew: false })
    }
  }
  return { ref: text(plain['ref']), spec: plain['spec'] ?? null, needs, state: 'created' }
}

function failure(recoverable: boolean): Problem {
  const message = recoverable ? 'connection reset' : 'refused'
  return new Problem({ type: 'runtime', code: 'api_error', message, recoverable })
}

const fakeKind: Kind = {
  compare(wanted, seen) {
    const from = seen.recorded?.spec ?? null
    const to = wanted.spec
    if (canonical(from) !== canonical(to)) {
      return {
        kind: 'changed',
        how: 'replace',
        cause: 'spec',
        changes: [{ path: 'spec', from, to }],
      }
    }
    const isRunning = isRecord<Json>(seen.live) && seen.live['state'] === 'running'
    if (seen.spares.length === 0 && isRunning) return { kind: 'same' }
    return { kind: 'changed', how: 'update', cause: 'left by a run that was cut', changes: [] }
  },
  expand({ ref, step, cause, changes, wanted, seen }) {
    const needs = wanted?.needs ?? []
    const parts = partsOf(step, ref, wanted?.spec ?? null, needs, seen)
    const gate = step === 'delete' ? 'none' : 'healthy'
    return { ref, step, cause, changes, needs, gate, subject: null, ...parts }
  },
  keeps: () => undefined,
  subject: () => null,
  healthGate: (ref) => (kindOf(ref) === 'container' ? 'healthy' : undefined),
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function partsOf(
  step: Step,
  ref: Ref,
  spec: Json,
  needs: readonly Need[],
  seen: Observed,
): Pick<Group, 'prepare' | 'make' | 'undo' | 'finish'> {
  const next = `${ref}~next`
  const previous = `${ref}~prev`
  const create = { ref, spec, needs: [...needs] }
  const spares = seen.kind === 'present' ? seen.spares : []
  const live = seen.kind === 'present' ? seen.live : {}
  const isMissing = isRecord<Json>(live) && live['hasMain'] === false
  const clear = spares.map((object) => operation('remove', object))
  const tidy = isMissing ? [operation('restore', ref)] : clear
  switch (step) {
    case 'create': {
      const make = [operation('create', ref, create), operation('start', ref)]
      return { prepare: [], make, undo: [operation('remove', ref)], finish: [] }
    }
    case 'update': {
      if (isMissing) return { prepare: [], make: [...tidy], undo: [], finish: [] }
      return { prepare: [], make: [operation('start', ref)], undo: [], finish: clear }
    }
    case 'replace': {
      const make = [
        ...tidy,
        operation('create', next, create),
        { ...operation('stop', ref), disrupts: true },
        operation('rename', ref, { to: previous }),
        operation('rename', next, { to: ref }),
        operation('start', ref),
      ]
      return {
        prepare: [operation('rehearse', ref)],
        make,
        undo: [operation('restore', ref)],
        finish: [operation('remove', previous)],
      }
    }
    case 'delete': {
      const finish = [ref, next, previous].map((object) => operation('remove', object))
      return { prepare: [], make: [], undo: [], finish }
    }
  }
}

function operation(verb: string, object: string, more: { [key: string]: Json } = {}): Operation {
  const payload = { object, ...more }
  const id = `${verb} ${object}`
  return { id, verb, payload, after: [], words: id, disrupts: false }
}

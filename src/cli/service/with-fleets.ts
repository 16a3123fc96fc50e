/** The service with the fleets that it keeps beside its applications: they are listed, asked and told of in the same way. */
import type { Log } from '#model/log.ts'
import type { Controller } from '#controller/open-service.ts'
import type { Declarations, FleetDeclared } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'
import type { ServiceEvent } from '#model/service.ts'
import type { Memory, Session } from '../session.ts'
import { keeperOf, type Keeper } from './fleet-keeper.ts'

const topic = 'fleets-suspended'

export function withFleets(
  service: Controller,
  declarations: Declarations,
  session: Session,
  { notes, store }: Memory,
  log: Log,
): Controller {
  const keepers = new Map<string, Keeper>()
  const kept = new Set<Promise<void>>()
  const listeners = new Set<(event: ServiceEvent) => void>()
  let suspended: ReadonlySet<string> = new Set()
  let isStarted = false

  function tell(event: ServiceEvent): void {
    for (const hear of listeners) hear(event)
  }
  function keeperFor(declared: FleetDeclared): Keeper {
    const key = `fleet:${declared.name}`
    return keeperOf(declared, {
      session,
      log,
      isSuspended: declared.suspended || suspended.has(key),
      told: (status) => tell({ type: 'app', status }),
      hear: (event) => tell({ type: 'run', key, event }),
    })
  }
  async function follow({ fleets = [], isEnabled }: Declarations): Promise<void> {
    const wanted = new Map(fleets.map((one) => [`fleet:${one.name}`, one]))
    for (const [key, keeper] of keepers) {
      if (sameAs(wanted.get(key), keeper.declared)) continue
      keepers.delete(key)
      await keeper.end()
      if (!wanted.has(key)) tell({ type: 'gone', key, at: session.clock.now() })
    }
    for (const [key, declared] of wanted) {
      if (keepers.has(key)) continue
      const keeper = keeperFor(declared)
      keepers.set(key, keeper)
      if (isEnabled) begin(keeper)
    }
  }
  function begin(keeper: Keeper): void {
    const going = keeper.keep()
    kept.add(going)
    void going.finally(() => kept.delete(going))
  }
  async function suspend(keeper: Keeper, isSuspended: boolean) {
    await notes.write(topic, keeper.key, isSuspended ? true : undefined)
    return keeper.suspend(isSuspended)
  }

  return {
    ...service,
    get projectName() {
      return service.projectName
    },
    apps: () => [...service.apps(), ...[...keepers.values()].map((one) => one.status())],
    app: (key) => keepers.get(key)?.status() ?? service.app(key),
    sync: async (key, allowed) => {
      const keeper = keepers.get(key)
      if (keeper === undefined) return service.sync(key, allowed)
      if (!keeper.status().isSuspended) return keeper.sync('manual')
      throw new Problem({
        type: 'runtime',
        code: 'suspended',
        message: `${key} is suspended`,
        suggestion: `resume it first: tend resume ${keeper.declared.name}`,
      })
    },
    refresh(trigger) {
      for (const keeper of keepers.values()) {
        if (!keeper.status().isSuspended) void keeper.sync(trigger)
      }
      return service.refresh(trigger)
    },
    async rollback(key, run, allowed) {
      if (!keepers.has(key)) return service.rollback(key, run, allowed)
      throw new Problem({
        type: 'configuration',
        code: 'unsupported',
        message: 'a fleet has no earlier state to go back to: its table is what counts',
        suggestion: 'change its rows and sync it',
      })
    },
    plan: async (key, signal, back) =>
      keepers.get(key)?.plan(signal) ?? service.plan(key, signal, back),
    async forget(key) {
      if (!keepers.has(key)) return service.forget(key)
      throw new Problem({
        type: 'runtime',
        code: 'conflict',
        message: `${key} is still declared, so it can't be forgotten`,
        suggestion: 'take it out of tend.yaml',
      })
    },
    async suspend(key) {
      const keeper = keepers.get(key)
      return keeper === undefined ? service.suspend(key) : suspend(keeper, true)
    },
    async resume(key) {
      const keeper = keepers.get(key)
      return keeper === undefined ? service.resume(key) : suspend(keeper, false)
    },
    async acknowledge(key) {
      return keepers.get(key)?.sync('manual') ?? service.acknowledge(key)
    },
    async runs(key) {
      const keeper = keepers.get(key)
      return keeper === undefined ? service.runs(key) : store.runs(keeper.status().application)
    },
    async events(key, run) {
      const keeper = keepers.get(key)
      if (keeper === undefined) return service.events(key, run)
      return store.events(keeper.status().application, run)
    },
    async containers(key, signal) {
      return keepers.has(key) ? [] : service.containers(key, signal)
    },
    async resources(key, signal) {
      return keepers.has(key) ? [] : service.resources(key, signal)
    },
    listen(hear) {
      listeners.add(hear)
      const end = service.listen(hear)
      return () => {
        listeners.delete(hear)
        end()
      }
    },
    async start() {
      suspended = new Set((await notes.read(topic)).keys())
      isStarted = true
      await follow(declarations)
      await service.start()
    },
    async stop() {
      await Promise.all([...keepers.values()].map((one) => one.end()))
      await Promise.all(kept)
      await service.stop()
    },
    async reload(next) {
      if (isStarted) await follow(next)
      await service.reload(next)
    },
  }
}

function sameAs(one: FleetDeclared | undefined, other: FleetDeclared): boolean {
  if (one === undefined) return false
  const { at: _one, ...left } = one
  const { at: _other, ...right } = other
  return JSON.stringify(left) === JSON.stringify(right)
}

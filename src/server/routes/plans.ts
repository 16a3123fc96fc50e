/** Plans with an address: made once over one or several applications, and shown again to whoever may see these. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { defined } from '#model/defined.ts'
import { HeldElsewhere } from '#model/replicas.ts'
import type { Json } from '#model/json.ts'
import { factsOf, problemOf } from '#model/problem.ts'
import type { AppStatus } from '#model/service.ts'
import type { Newest } from '#model/service-views.ts'
import * as z from 'zod/mini'
import type { Caller } from '../access/caller.ts'
import { covers } from '../access/keeper.ts'
import { forbidden, notFound } from '../access/refusals.ts'
import { checkApp, mayUse } from '../access/scope.ts'
import { json } from '../reply.ts'
import { askHolder } from '../forward.ts'
import { route, type RouteRequest, type Route } from '../route.ts'
import { list, plan, problemFacts } from '../shapes/model.ts'
import { shownPlan } from '../shapes/shown-plan.ts'
import { fieldOrigin } from '../shapes/views.ts'
import type { RouteContext } from './route-context.ts'

const topic = 'plan'
const mostApps = 100
/** So long a plan can be opened again, ms; and no more than so many of them. */
const kept = 7 * 86_400_000
const mostPlans = 200
/** An application that takes longer has no plan but a problem, ms. */
const patience = 20_000

const planned = z.object({
  key: z.string(),
  revision: z.string(),
  /** With the revision, what a sync says that is to do exactly this. */
  hash: z.optional(z.string()),
  plan: z.optional(plan),
  problem: z.optional(problemFacts),
  /** Why the source could not be asked: the plan is of what was read last. */
  unread: z.optional(problemFacts),
  origins: z.optional(z.record(z.string(), z.record(z.string(), fieldOrigin))),
  isOutdated: z.boolean(),
})
/** `fresh`: the sources are asked first, and nothing of them is taken over. `adopt`, `prune`: as a sync that adopts, or a prune, would do it. */
const how = z.object({
  run: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000))),
  fresh: z.optional(z.boolean()),
  adopt: z.optional(z.boolean()),
  prune: z.optional(z.boolean()),
})
type How = z.output<typeof how>
const shared = z.object({ id: z.string(), at: z.number(), by: z.string(), apps: list(planned) })
/** What was so when it was made: otherwise by now it would come out otherwise. */
const marks = z.record(z.string(), z.string())
const note = z.object({ ...shared.shape, marks })
type Note = z.output<typeof note>

export function planRoutes({ service, notes, clock }: RouteContext): readonly Route[] {
  async function one(
    key: string,
    how: How,
    { snapshot, unread }: Newest,
    { signal, request }: Pick<RouteRequest, 'signal' | 'request'>,
  ): Promise<z.output<typeof planned>> {
    const read = service.app(key).desired?.revision ?? ''
    const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    const { run, adopt: adopts = false, prune: prunesVolumes = false } = how
    const back = run === undefined ? undefined : { run }
    try {
      const wanted = { back, newest: snapshot, adopts, prunesVolumes }
      const { plan: whole, of } = await service.planned(key, wanted, limited)
      const isRead = of?.revision === read
      // a plan without files and lines is still a plan, and of a newer commit nobody knows them yet
      const origins = isRead ? await service.origins(key, whole, limited).catch(() => ({})) : {}
      const made = { key, revision: read, ...of, plan: shownPlan(whole), origins }
      return { ...made, ...(unread === undefined ? {} : { unread }), isOutdated: false }
    } catch (thrown) {
      signal.throwIfAborted()
      if (thrown instanceof HeldElsewhere) return plannedThere(thrown, how, request)
      const problem = factsOf(problemOf(thrown))
      return { key, revision: snapshot?.revision ?? read, problem, isOutdated: false }
    }
  }

  async function plannedThere(
    held: HeldElsewhere,
    how: How,
    request: IncomingMessage,
  ): Promise<z.output<typeof planned>> {
    const { key } = held
    try {
      const told = await askHolder(held, request, '/api/v1/plans', { apps: [key], ...how })
      return defined(z.parse(shared, told).apps[0])
    } catch (thrown) {
      const revision = service.app(key).desired?.revision ?? ''
      return { key, revision, problem: factsOf(problemOf(thrown)), isOutdated: false }
    }
  }

  /** One after the other where they are many: a plan is work for an engine. */
  async function all(
    keys: readonly string[],
    how: How,
    asked: Pick<RouteRequest, 'signal' | 'request'>,
  ): Promise<readonly z.output<typeof planned>[]> {
    const newest = how.fresh === true ? await service.newest(keys, asked.signal) : undefined
    const made = new Map<string, z.output<typeof planned>>()
    const waiting = [...keys]
    async function work(): Promise<void> {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
        made.set(key, await one(key, how, newest?.get(key) ?? {}, asked))
      }
    }
    await Promise.all([work(), work(), work(), work()])
    return keys.flatMap((key) => made.get(key) ?? [])
  }

  async function read(): Promise<readonly Note[]> {
    const found = [...(await notes.read(topic)).values()].map((value) => z.safeParse(note, value))
    return found.flatMap(({ data }) => data ?? [])
  }

  async function keep(made: Note): Promise<void> {
    const value: Json = JSON.parse(JSON.stringify(made))
    await notes.write(topic, made.id, value)
    const others = (await read()).toSorted((a, b) => b.at - a.at)
    for (const [index, { id, at }] of others.entries()) {
      if (index >= mostPlans || at < clock.now() - kept) await notes.write(topic, id, undefined)
    }
  }

  function statusNow(key: string): AppStatus | undefined {
    return service.apps().find((each) => each.key === key)
  }

  return [
    route({
      method: 'POST',
      path: '/api/v1/plans',
      access: 'read',
      name: 'makePlan',
      summary:
        'What a sync of these applications would do, kept under an address for a week; with fresh, of what their sources have at this moment (needs the role sync)',
      cost: 'dear',
      body: z.strictObject({
        apps: z.readonly(z.array(z.string()).check(z.minLength(1), z.maxLength(mostApps))),
        ...how.shape,
      }),
      answers: { 201: { says: 'The plan', body: shared } },
      async handle(
        { body: { apps: asked, ...wanted } },
        { caller, signal, request, note: audited },
      ) {
        const keys = [...new Set(asked)]
        for (const key of keys) checkApp(caller, key)
        if (wanted.fresh === true) refuseReader(caller)
        for (const key of keys) service.app(key)
        audited.detail = keys.join(', ')
        const apps = await all(keys, wanted, { signal, request })
        const id = randomBytes(9).toString('base64url')
        const made = { id, at: clock.now(), by: caller.name, apps }
        const marked = Object.fromEntries(keys.map((key) => [key, markOf(statusNow(key))]))
        await keep({ ...made, marks: marked })
        return json(shared, made, 201)
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/plans/{id}',
      access: 'read',
      name: 'sharedPlan',
      summary: 'A plan that somebody made, and whether it would come out otherwise by now',
      params: z.object({ id: z.string() }),
      answers: { 200: { says: 'The plan', body: shared } },
      async handle({ params: { id } }, { caller }) {
        const found = (await read()).find((each) => each.id === id)
        const apps = (found?.apps ?? []).filter(({ key }) => mayUse(caller, key))
        if (found === undefined || apps.length === 0 || found.at < clock.now() - kept) {
          throw notFound(`there is no plan ${id}`, 'plans are kept for a week: make another one')
        }
        const { marks: marked, ...rest } = found
        const now = apps.map((app) => ({
          ...app,
          isOutdated: isOutdated(app, marked[app.key] ?? '', statusNow(app.key)),
        }))
        return json(shared, { ...rest, apps: now })
      },
    }),
  ]
}

/** Who may only look has nobody outside asked. */
function refuseReader({ role, name }: Caller): void {
  if (role !== undefined && covers(role, 'sync')) return
  throw forbidden(
    `${name} may not have sources asked`,
    'leave out fresh to plan what was read last, or use a token with the role sync',
  )
}

/** What the source declares, and how what runs stands to what was applied. */
function markOf(app: AppStatus | undefined): string {
  const { desired, synced, sync } = app ?? {}
  const isAsApplied = sync?.state === 'synced' || sync?.isBehind === true
  const stands = isAsApplied ? 'as applied' : `${sync?.state} ${sync?.since}`
  return [desired?.hash, synced?.hash, stands].join(' ')
}

/** A plan of something newer than what was read is still right when that is read. */
function isOutdated(
  { hash }: z.output<typeof planned>,
  mark: string,
  now: AppStatus | undefined,
): boolean {
  const [before = '', ...then] = mark.split(' ')
  const [desired = '', ...rest] = markOf(now).split(' ')
  return (desired !== before && desired !== hash) || then.join(' ') !== rest.join(' ')
}

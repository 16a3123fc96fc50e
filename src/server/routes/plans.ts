/** Plans with an address: made once over one or several applications, and shown again to whoever may see these. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { defined } from '#model/defined.ts'
import { HeldElsewhere } from '#model/replicas.ts'
import type { Json } from '#model/json.ts'
import { factsOf, problemOf } from '#model/problem.ts'
import type { AppStatus } from '#model/service.ts'
import * as z from 'zod/mini'
import { notFound } from '../access/refusals.ts'
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
  plan: z.optional(plan),
  problem: z.optional(problemFacts),
  origins: z.optional(z.record(z.string(), z.record(z.string(), fieldOrigin))),
  isOutdated: z.boolean(),
})
const shared = z.object({ id: z.string(), at: z.number(), by: z.string(), apps: list(planned) })
/** What was so when it was made: otherwise by now it would come out otherwise. */
const marks = z.record(z.string(), z.string())
const note = z.object({ ...shared.shape, marks })
type Note = z.output<typeof note>

export function planRoutes({ service, notes, clock }: RouteContext): readonly Route[] {
  async function one(
    key: string,
    run: number | undefined,
    { signal, request }: Pick<RouteRequest, 'signal' | 'request'>,
  ): Promise<z.output<typeof planned>> {
    const revision = service.app(key).desired?.revision ?? ''
    const limited = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    try {
      const back = run === undefined ? undefined : { run }
      const whole = await service.plan(key, limited, back)
      const origins =
        // a plan without files and lines is still a plan
        run === undefined ? await service.origins(key, whole, limited).catch(() => ({})) : {}
      return { key, revision, plan: shownPlan(whole), origins, isOutdated: false }
    } catch (thrown) {
      signal.throwIfAborted()
      if (thrown instanceof HeldElsewhere) return plannedThere(thrown, run, request)
      return { key, revision, problem: factsOf(problemOf(thrown)), isOutdated: false }
    }
  }

  async function plannedThere(
    held: HeldElsewhere,
    run: number | undefined,
    request: IncomingMessage,
  ): Promise<z.output<typeof planned>> {
    const { key } = held
    try {
      const told = await askHolder(held, request, '/api/v1/plans', { apps: [key], run })
      return defined(z.parse(shared, told).apps[0])
    } catch (thrown) {
      const revision = service.app(key).desired?.revision ?? ''
      return { key, revision, problem: factsOf(problemOf(thrown)), isOutdated: false }
    }
  }

  /** One after the other where they are many: a plan is work for an engine. */
  async function all(
    keys: readonly string[],
    run: number | undefined,
    asked: Pick<RouteRequest, 'signal' | 'request'>,
  ): Promise<readonly z.output<typeof planned>[]> {
    const made = new Map<string, z.output<typeof planned>>()
    const waiting = [...keys]
    async function work(): Promise<void> {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
        made.set(key, await one(key, run, asked))
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

  function markNow(key: string): string {
    const app: AppStatus | undefined = service.apps().find((each) => each.key === key)
    return [app?.desired?.hash, app?.synced?.hash, app?.sync.state, app?.sync.since].join(' ')
  }

  return [
    route({
      method: 'POST',
      path: '/api/v1/plans',
      access: 'read',
      name: 'makePlan',
      summary: 'What a sync of these applications would do, kept under an address for a week',
      cost: 'dear',
      body: z.strictObject({
        apps: z.readonly(z.array(z.string()).check(z.minLength(1), z.maxLength(mostApps))),
        run: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000))),
      }),
      answers: { 201: { says: 'The plan', body: shared } },
      async handle({ body }, { caller, signal, request, note: audited }) {
        const keys = [...new Set(body.apps)]
        for (const key of keys) checkApp(caller, key)
        for (const key of keys) service.app(key)
        audited.detail = keys.join(', ')
        const apps = await all(keys, body.run, { signal, request })
        const id = randomBytes(9).toString('base64url')
        const made = { id, at: clock.now(), by: caller.name, apps }
        const marked = Object.fromEntries(keys.map((key) => [key, markNow(key)]))
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
          isOutdated: marked[app.key] !== markNow(app.key),
        }))
        return json(shared, { ...rest, apps: now })
      },
    }),
  ]
}

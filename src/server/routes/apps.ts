/** Our own endpoints for applications: what they are, what would happen to them, and what can be asked of them. */
import { Problem } from '#model/problem.ts'
import type { Allowed, Back, Expected, SyncAnswer } from '#model/service.ts'
import * as z from 'zod/mini'
import type { Caller } from '../access/caller.ts'
import { isWhole, visibleApps } from '../access/scope.ts'
import { json, ready, type Reply } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { app, container, diff, list, plan, resource, syncAnswer } from '../shapes/model.ts'
import { diffOf, shownPlan, shownResources } from '../shapes/shown-plan.ts'
import type { RouteContext } from './route-context.ts'

const apps = list(app)
const containers = list(container)
const resources = list(resource)
/** `stack:web`; what is in a namespace is written `chart:staging%2Fweb`. */
export const keyed = z.object({ key: z.string() })
export const waits = z.object({ wait: z.optional(z.enum(['true', 'false', '1', '0', ''])) })
const flag = z.optional(z.boolean())
/** What the plan is of that somebody saw: a run of anything else is refused with 409. Both, or neither: then what the source has now is run. */
export const expectedBody = {
  revision: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  hash: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
}
/** Removing that is refused unless it is said to be meant. */
const syncBody = z.optional(
  z.strictObject({ allowEmpty: flag, allowMassDelete: flag, adopt: flag, ...expectedBody }),
)
const rollbackBody = z.optional(
  z.strictObject({
    run: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000))),
    allowEmpty: flag,
    allowMassDelete: flag,
  }),
)

/** Without it, what a sync would do; with the number of a run, or `before`, what going back to it would. */
const towards = z.object({
  run: z.optional(
    z.string().check(z.regex(/^(before|[1-9]\d{0,8})$/, 'the number of a run, or before')),
  ),
  adopt: z.optional(z.enum(['true', 'false'])),
  /** As a prune would do it: volumes that are not declared any more go too. */
  prune: z.optional(z.enum(['true', 'false'])),
})

function howIn({ adopt, prune }: z.output<typeof towards>) {
  return { adopts: adopt === 'true', prunesVolumes: prune === 'true' }
}

function backTo(run: string | undefined): Back | undefined {
  return run === undefined ? undefined : { run: run === 'before' ? undefined : Number(run) }
}

/** A run was asked for: at once, how it stands; with `?wait=true`, how it ended. */
const asked = {
  200: { says: 'With ?wait=true: how it ended', body: syncAnswer },
  202: { says: 'It was asked for', body: syncAnswer },
}

export function doesWait(wait: string | undefined): boolean {
  return wait !== undefined && wait !== 'false' && wait !== '0'
}

export function allowedBy(body: z.output<typeof syncBody>, { name }: Caller): Allowed {
  return {
    empty: body?.allowEmpty ?? false,
    massDelete: body?.allowMassDelete ?? false,
    adopts: body?.adopt ?? false,
    by: name,
    expected: expectedIn(body),
  }
}

function expectedIn(body: z.output<typeof syncBody>): Expected | undefined {
  const { revision, hash } = body ?? {}
  if (revision === undefined && hash === undefined) return undefined
  if (revision !== undefined && hash !== undefined) return { revision, hash }
  throw new Problem({
    type: 'validation',
    code: 'bad_value',
    message: `revision and hash go together: ${revision === undefined ? 'revision' : 'hash'} is missing`,
    suggestion: 'give both as POST /api/v1/plans gave them, or neither',
  })
}

/** Whether a run that waits for its turn is of what was expected is not waited for longer than this, ms. */
function patience(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 20_000).unref())
}

export function appRoutes({ service, prepared, log }: RouteContext): readonly Route[] {
  const base = '/api/v1/apps/{key}'

  /** What is refused at once, or before the run has `begun` where that is given, is told also to those who do not wait. */
  async function answered(
    key: string,
    ended: Promise<SyncAnswer>,
    wait: boolean,
    begun?: Promise<void>,
  ): Promise<Reply> {
    if (wait) return json(syncAnswer, await ended)
    ended.catch((reason: unknown) => {
      const why = reason instanceof Error ? reason.message : String(reason)
      log('warn', 'a run that was asked for failed', { key, why })
    })
    const soon = begun ?? new Promise((resolve) => setImmediate(resolve))
    await Promise.race([ended, soon, ...(begun === undefined ? [] : [patience()])])
    return json(syncAnswer, { status: service.app(key), outcome: undefined }, 202)
  }

  return [
    route({
      method: 'GET',
      path: '/api/v1/apps',
      access: 'read',
      name: 'apps',
      summary: 'All applications and how they are',
      cost: 'cached',
      answers: { 200: { says: 'All applications', body: apps } },
      handle: (_, { caller }) =>
        isWhole(caller) ? ready(prepared.apps.get()) : json(apps, visibleApps(service, caller)),
    }),
    route({
      method: 'GET',
      path: base,
      access: 'read',
      name: 'app',
      summary: 'One application',
      params: keyed,
      answers: { 200: { says: 'How it is', body: app } },
      handle: ({ params }) => json(app, service.app(params.key)),
    }),
    route({
      method: 'GET',
      path: `${base}/plan`,
      access: 'read',
      name: 'plan',
      summary: 'What a sync would do now, drift included',
      cost: 'dear',
      params: keyed,
      query: towards,
      answers: { 200: { says: 'The plan', body: plan } },
      async handle({ params, query }, { signal }) {
        const found = await service.plan(params.key, signal, backTo(query.run), howIn(query))
        return json(plan, shownPlan(found))
      },
    }),
    route({
      method: 'GET',
      path: `${base}/diff`,
      access: 'read',
      name: 'diff',
      summary: 'What differs from what is declared, field by field',
      cost: 'dear',
      params: keyed,
      query: towards,
      answers: { 200: { says: 'Changed fields of each resource', body: diff } },
      async handle({ params, query }, { signal }) {
        const found = await service.plan(params.key, signal, backTo(query.run), howIn(query))
        return json(diff, diffOf(found))
      },
    }),
    route({
      method: 'GET',
      path: `${base}/containers`,
      access: 'read',
      name: 'containers',
      summary: 'Its containers',
      params: keyed,
      answers: { 200: { says: 'All of them, also stopped ones', body: containers } },
      async handle({ params }, { signal }) {
        return json(containers, await service.containers(params.key, signal))
      },
    }),
    route({
      method: 'GET',
      path: `${base}/resources`,
      access: 'read',
      name: 'resources',
      summary: 'Its resources, each with sync and health',
      cost: 'dear',
      params: keyed,
      answers: { 200: { says: 'All that are declared', body: resources } },
      async handle({ params }, { signal }) {
        return json(resources, shownResources(await service.resources(params.key, signal)))
      },
    }),
    route({
      method: 'POST',
      path: `${base}/sync`,
      access: 'sync',
      name: 'sync',
      summary:
        'Runs it now; with the revision and the hash of a plan, only if its source still says what the plan is of (409: it does not, and nothing was done)',
      cost: 'dear',
      params: keyed,
      query: waits,
      body: syncBody,
      answers: asked,
      handle({ params: { key }, query, body }, { note, caller }) {
        const allowed = allowedBy(body, caller)
        const words = [
          allowed.empty ? 'allowEmpty' : '',
          allowed.massDelete ? 'allowMassDelete' : '',
          allowed.adopts === true ? 'adopt' : '',
        ]
        note.detail = words.filter((word) => word !== '').join(', ')
        if (allowed.expected === undefined) {
          return answered(key, service.sync(key, allowed), doesWait(query.wait))
        }
        const begun = Promise.withResolvers<void>()
        const ended = service.sync(key, allowed, begun.resolve)
        return answered(key, ended, doesWait(query.wait), begun.promise)
      },
    }),
    route({
      method: 'POST',
      path: `${base}/rollback`,
      access: 'sync',
      name: 'rollback',
      summary:
        'Applies again what an earlier run applied; without a number, the last good one before',
      cost: 'dear',
      params: keyed,
      query: waits,
      body: rollbackBody,
      answers: asked,
      handle({ params: { key }, query, body }, { note, caller }) {
        note.detail = body?.run === undefined ? 'to the last good run' : `to run ${body.run}`
        return answered(
          key,
          service.rollback(key, body?.run, allowedBy(body, caller)),
          doesWait(query.wait),
        )
      },
    }),
    route({
      method: 'POST',
      path: `${base}/acknowledge`,
      access: 'sync',
      name: 'acknowledge',
      summary: 'Accepts that what drifted is put right',
      cost: 'dear',
      params: keyed,
      query: waits,
      answers: asked,
      handle: ({ params: { key }, query }, { caller }) =>
        answered(key, service.acknowledge(key, caller.name), doesWait(query.wait)),
    }),
    route({
      method: 'POST',
      path: `${base}/suspend`,
      access: 'sync',
      name: 'suspend',
      summary: 'Leaves it as it is until it is resumed',
      cost: 'dear',
      params: keyed,
      answers: { 200: { says: 'How it is', body: app } },
      async handle({ params }) {
        return json(app, await service.suspend(params.key))
      },
    }),
    route({
      method: 'POST',
      path: `${base}/resume`,
      access: 'sync',
      name: 'resume',
      summary: 'Looks after it again',
      cost: 'dear',
      params: keyed,
      answers: { 200: { says: 'How it is', body: app } },
      async handle({ params }, { caller }) {
        return json(app, await service.resume(params.key, caller.name))
      },
    }),
    route({
      method: 'POST',
      path: `${base}/forget`,
      access: 'sync',
      name: 'forget',
      summary: 'Lists one no more that is gone from its source; what runs of it stays',
      cost: 'dear',
      params: keyed,
      answers: { 200: { says: 'How it was', body: app } },
      async handle({ params }) {
        return json(app, await service.forget(params.key))
      },
    }),
  ]
}

/** What is done with one application beside runs, and one action on several applications at once. */
import type { IncomingMessage } from 'node:http'
import { defined } from '#model/defined.ts'
import { HeldElsewhere } from '#model/replicas.ts'
import { factsOf, Problem, problemOf } from '#model/problem.ts'
import type { SyncAnswer } from '#model/service.ts'
import * as z from 'zod/mini'
import type { Caller } from '../access/caller.ts'
import { checkApp } from '../access/scope.ts'
import { askHolder } from '../forward.ts'
import { json } from '../reply.ts'
import { route, type Route } from '../route.ts'
import { app, list, outcome, problemFacts, syncAnswer } from '../shapes/model.ts'
import { allowedBy, doesWait, expectedBody, keyed, waits } from './apps.ts'
import type { RouteContext } from './route-context.ts'

const mostApps = 500
const names = ['sync', 'rollback', 'suspend', 'resume', 'acknowledge', 'restart'] as const
const done = z.object({
  key: z.string(),
  status: z.optional(app),
  outcome: z.optional(outcome),
  /** Why nothing was done with this one. */
  problem: z.optional(problemFacts),
})
const answers = z.object({ apps: list(done) })

export function actionRoutes({ service, log }: RouteContext): readonly Route[] {
  const base = '/api/v1/apps/{key}'

  async function act(
    name: (typeof names)[number],
    key: string,
    caller: Caller,
  ): Promise<SyncAnswer> {
    const plain = async (status: Promise<SyncAnswer['status']>): Promise<SyncAnswer> => ({
      status: await status,
      outcome: undefined,
    })
    switch (name) {
      case 'sync':
        return service.sync(key, allowedBy(undefined, caller))
      case 'rollback':
        return service.rollback(key, undefined, allowedBy(undefined, caller))
      case 'acknowledge':
        return service.acknowledge(key, caller.name)
      case 'suspend':
        return plain(service.suspend(key))
      case 'resume':
        return plain(service.resume(key, caller.name))
      case 'restart':
        return plain(service.restart(key, undefined))
    }
  }

  /** Runs are not waited for unless it is said: what is refused at once is told all the same. */
  async function begun(
    name: (typeof names)[number],
    key: string,
    caller: Caller,
    waitsForIt: boolean,
    request: IncomingMessage,
  ): Promise<z.output<typeof done>> {
    const ended = act(name, key, caller)
    try {
      const isLong = name === 'sync' || name === 'rollback' || name === 'acknowledge'
      if (waitsForIt || !isLong) {
        const { status, outcome: how } = await ended
        return { key, status, ...(how === undefined ? {} : { outcome: how }) }
      }
      await Promise.race([ended, new Promise((resolve) => setImmediate(resolve))])
      ended.catch((reason: unknown) => {
        log('warn', 'a run that was asked for failed', { key, why: problemOf(reason).message })
      })
      return { key, status: service.app(key) }
    } catch (thrown) {
      if (thrown instanceof HeldElsewhere) return askedThere(thrown, name, waitsForIt, request)
      return { key, problem: factsOf(problemOf(thrown)) }
    }
  }

  async function askedThere(
    held: HeldElsewhere,
    name: (typeof names)[number],
    waitsForIt: boolean,
    request: IncomingMessage,
  ): Promise<z.output<typeof done>> {
    const { key } = held
    try {
      const path = `/api/v1/actions${waitsForIt ? '?wait=true' : ''}`
      const told = await askHolder(held, request, path, { action: name, apps: [key] })
      return defined(z.parse(answers, told).apps[0])
    } catch (thrown) {
      return { key, problem: factsOf(problemOf(thrown)) }
    }
  }

  return [
    route({
      method: 'POST',
      path: '/api/v1/actions',
      access: 'sync',
      name: 'act',
      summary:
        'One action on several applications: what can be done is done, the rest says why not',
      cost: 'dear',
      query: waits,
      body: z.strictObject({
        action: z.enum(names),
        apps: z.readonly(z.array(z.string()).check(z.minLength(1), z.maxLength(mostApps))),
      }),
      answers: { 200: { says: 'What came of each', body: answers } },
      async handle({ body: { action, apps: wanted }, query }, { caller, note, request }) {
        const keys = [...new Set(wanted)]
        for (const key of keys) checkApp(caller, key)
        note.detail = `${action} of ${keys.join(', ')}`
        const each = keys.map((key) => begun(action, key, caller, doesWait(query.wait), request))
        return json(answers, { apps: await Promise.all(each) })
      },
    }),
    route({
      method: 'POST',
      path: `${base}/restart`,
      access: 'sync',
      name: 'restart',
      summary: 'Restarts its containers, or those of one resource',
      cost: 'dear',
      params: keyed,
      body: z.optional(z.strictObject({ ref: z.optional(z.string()) })),
      answers: { 200: { says: 'How it is', body: app } },
      async handle({ params: { key }, body }, { note }) {
        note.detail = body?.ref ?? ''
        return json(app, await service.restart(key, body?.ref))
      },
    }),
    route({
      method: 'POST',
      path: `${base}/adopt`,
      access: 'sync',
      name: 'adopt',
      summary: 'Runs it now, and takes over what another program started under its name',
      cost: 'dear',
      params: keyed,
      answers: { 200: { says: 'How it ended', body: syncAnswer } },
      async handle({ params: { key } }, { caller }) {
        const allowed = { ...allowedBy(undefined, caller), adopts: true }
        return json(syncAnswer, await service.sync(key, allowed))
      },
    }),
    route({
      method: 'POST',
      path: `${base}/prune`,
      access: 'sync',
      name: 'prune',
      summary:
        'Runs it now, and lets it remove its undeclared volumes and most of what it has; its name must be typed',
      cost: 'dear',
      params: keyed,
      body: z.strictObject({ name: z.string(), ...expectedBody }),
      answers: { 200: { says: 'How it ended', body: syncAnswer } },
      async handle({ params: { key }, body }, { caller }) {
        const { application } = service.app(key)
        if (body.name !== application.name) {
          throw new Problem({
            type: 'validation',
            code: 'bad_value',
            message: `${JSON.stringify(body.name)} is not the name of ${key}`,
            suggestion: `type ${application.name} to say that removing is meant`,
          })
        }
        const { name: _, ...expected } = body
        const allowed = {
          ...allowedBy(expected, caller),
          massDelete: true,
          empty: true,
          prunesVolumes: true,
        }
        return json(syncAnswer, await service.sync(key, allowed))
      },
    }),
  ]
}

/** Webhooks: the origin's one path, and one for each kind of forge. */
import type { SyncAnswer } from '#model/service.ts'
import { problemOf } from '#model/problem.ts'
import * as z from 'zod/mini'
import { anybody } from '../access/caller.ts'
import type { Guard } from '../access/guard.ts'
import { tooMany } from '../access/refusals.ts'
import { deliveriesOf } from '../hooks/deliveries.ts'
import { kindOf, kinds, type Kind } from '../hooks/forge.ts'
import { receive, type Received } from '../hooks/receive.ts'
import { stampedOf } from '../hooks/stamped.ts'
import { json } from '../reply.ts'
import { route, type RouteRequest, type Route } from '../route.ts'
import { list, outcome, state } from '../shapes/model.ts'
import { doesWait, waits } from './apps.ts'
import type { RouteContext } from './route-context.ts'

const largest = 1024 * 1024
const remembered = 16_384

const outcomes = list(
  z.object({ key: z.string(), state, outcome: z.optional(outcome), reason: z.string() }),
)
const hookAnswer = z.object({
  /** ignored; refreshing or queued; with ?wait=true completed or failed. */
  status: z.enum(['ignored', 'refreshing', 'queued', 'completed', 'failed']),
  message: z.string(),
  apps: z.optional(list(z.string())),
  outcomes: z.optional(outcomes),
})
type HookAnswer = z.output<typeof hookAnswer>

export function hookRoutes(context: RouteContext, guard: Guard): readonly Route[] {
  const memory = {
    deliveries: deliveriesOf(context.notes, remembered, () => context.clock.now()),
    stamped: stampedOf(context.notes),
  }

  async function received(kind: Kind, isOrigin: boolean, asked: RouteRequest): Promise<Received> {
    const { request, bytes, note } = asked
    try {
      const got = await receive(context, memory, {
        kind,
        headers: request.headers,
        bytes,
        isOrigin,
      })
      if (got.isProven) guard.proven(request)
      if (got.isProven)
        note.caller = { ...anybody, kind: 'hook', id: kind, name: `webhook of ${kind}` }
      note.detail =
        got.kind === 'ignored'
          ? got.why
          : `for ${got.keys.length} applications: ${got.keys.slice(0, 20).join(', ')}`
      return got
    } catch (thrown) {
      const problem = problemOf(thrown)
      if (problem.code !== 'unauthorized') throw problem
      context.log('warn', 'a webhook was refused', { kind, why: problem.message })
      const wait = guard.failed(request)
      throw wait > 0 ? tooMany(wait) : problem
    }
  }

  async function told(got: Received, wait: boolean): Promise<HookAnswer> {
    if (got.kind === 'ignored') return { status: 'ignored', message: got.why }
    const message = `webhook refresh ${got.status}`
    if (wait) return ended(await got.done)
    got.done.catch((reason: unknown) => {
      context.log('warn', 'a run after a webhook failed', { why: problemOf(reason).message })
    })
    return { status: got.status, message, apps: got.keys }
  }

  return [
    route({
      method: 'POST',
      path: '/api/webhook',
      access: 'signed',
      name: 'originWebhook',
      summary: 'A webhook of any forge; which one is told by its headers',
      errors: 'origin',
      cost: 'dear',
      query: waits,
      most: largest,
      answers: { 200: { says: 'What it started', body: hookAnswer } },
      async handle({ query }, asked) {
        const got = await received(kindOf(asked.request.headers), true, asked)
        const { apps: _apps, ...answer } = await told(got, doesWait(query.wait))
        return json(hookAnswer, answer)
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/hooks/{kind}',
      access: 'signed',
      name: 'webhook',
      summary: 'A webhook of one kind of forge',
      cost: 'dear',
      params: z.object({ kind: z.enum(kinds) }),
      query: waits,
      most: largest,
      answers: {
        200: { says: 'Nothing to do, or with ?wait=true how it ended', body: hookAnswer },
        202: { says: 'It goes on', body: hookAnswer },
      },
      async handle({ params, query }, asked) {
        const got = await received(params.kind, false, asked)
        const isWaiting = doesWait(query.wait)
        const status = got.kind === 'ignored' || isWaiting ? 200 : 202
        return json(hookAnswer, await told(got, isWaiting), status)
      },
    }),
  ]
}

function ended(answers: readonly SyncAnswer[]): HookAnswer {
  const told = answers.map(({ status, outcome: how }) => ({
    key: status.key,
    state: status.state,
    outcome: how,
    reason: status.reason,
  }))
  const unread = answers.find((one) => one.unread !== undefined)?.unread
  if (unread !== undefined) {
    const message = `what was pushed could not be read: ${unread.message}`
    return { status: 'failed', message, outcomes: told }
  }
  const failed = told.filter((one) => one.state === 'failed' || isBad(one.outcome))
  if (failed.length > 0) {
    const message = `failed: ${failed.map(({ key }) => key).join(', ')}`
    return { status: 'failed', message, outcomes: told }
  }
  return { status: 'completed', message: completed(told), outcomes: told }
}

/** Suspended, in a closed window, waiting for a word: no failure, but not as pushed either. */
function completed(told: NonNullable<HookAnswer['outcomes']>): string {
  const others = told.filter(({ state: how }) => how !== 'synced' && how !== 'missing')
  if (others.length === 0) return `${told.length} applications are as pushed`
  const words = others.map(({ key, reason, state: how }) => `${key} (${reason || how})`)
  return `${told.length - others.length} of ${told.length} applications are as pushed, not so: ${words.join(', ')}`
}

function isBad(how: string | undefined): boolean {
  return how !== undefined && how !== 'succeeded'
}

/** A webhook from its headers to the runs that it starts. Closed unless it proves that it knows a secret. */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { HookDeclared } from '#model/declaration.ts'
import { escapeControls } from '#model/control-characters.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { Pushed, Service, SyncAnswer } from '#model/service.ts'
import { forbidden } from '../access/refusals.ts'
import type { RouteContext } from '../routes/route-context.ts'
import type { Deliveries } from './deliveries.ts'
import { forges, header, type Kind } from './forge.ts'
import { pushesIn } from './pushes.ts'
import type { Stamped } from './stamped.ts'
import { isSameRepository } from '#controller/sources/same-repository.ts'
import { stampIn, verify, type Verdict } from './verify.ts'

type Remembered = { readonly deliveries: Deliveries; readonly stamped: Stamped }

export type Delivery = {
  readonly kind: Kind
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The origin asks its repository whatever the body says. */
  readonly isOrigin: boolean
}

/** `isProven`: by a secret, and not because the hook is open. */
export type Received = { readonly isProven: boolean } & HookResult

type HookResult =
  | { readonly kind: 'ignored'; readonly why: string }
  | {
      readonly kind: 'asked'
      readonly status: 'refreshing' | 'queued'
      readonly keys: readonly string[]
      readonly done: Promise<readonly SyncAnswer[]>
    }

export async function receive(
  context: Pick<RouteContext, 'service' | 'hooks' | 'readSecret' | 'clock' | 'log'>,
  { deliveries, stamped }: Remembered,
  delivery: Delivery,
): Promise<Received> {
  const { kind, headers, bytes } = delivery
  const hook = await proven(context, stamped, delivery)
  const isProven = hook.secret !== undefined
  const event = header(headers, forges[kind].event)
  const body = bodyMark(delivery)
  if (!isPush(kind, event)) {
    // its signature holds for the body alone: without the header with its event it would be taken for a push
    if (isProven && body !== undefined) await deliveries.accept([body])
    return { isProven, kind: 'ignored', why: `nothing to do for event ${event ?? ''}` }
  }
  const marks = marksOf(delivery, body)
  const isRepeated = isUnstamped(delivery) && (await deliveries.has(`body ${hashOf(bytes)}`))
  if (isRepeated || !(await deliveries.accept(marks))) {
    return { isProven, kind: 'ignored', why: 'this delivery was handled already' }
  }
  try {
    const pushes = confined(pushesIn(bytes, headers['content-type'] ?? ''), hook)
    const mayWiden = delivery.isOrigin && hook.source === undefined && isOnly(context.service)
    const sender = (name: string | undefined): string =>
      // what an open hook says of itself anybody may have written
      name === undefined || !isProven ? kind : `${name} (${kind})`
    return { isProven, ...ask(context.service, pushes, mayWiden, sender) }
  } catch (thrown) {
    await deliveries.forget(marks)
    throw thrown
  }
}

/** The declared hook whose secret was used. Several of one kind each speak for their own repositories. */
async function proven(
  { hooks, readSecret, clock, log }: Pick<RouteContext, 'hooks' | 'readSecret' | 'clock' | 'log'>,
  stamped: Stamped,
  { kind, headers, bytes, isOrigin }: Delivery,
): Promise<HookDeclared> {
  const fits = hooks().filter((hook) => hook.kind === kind || (isOrigin && isHmac(hook, kind)))
  const open = fits.find(({ isOpen, secret }) => isOpen && secret === undefined)
  let verdict: Exclude<Verdict, 'right'> | undefined
  for (const hook of fits) {
    if (hook.secret === undefined) continue
    const secret = await readSecret(hook.secret).catch((reason: unknown) => {
      log('error', 'the secret of a webhook cannot be read', {
        kind,
        why: problemOf(reason).message,
      })
      return ''
    })
    // an empty secret is none: anybody knows it
    if (secret === '') continue
    const judged = await judge(secret)
    if (judged === 'right') return hook
    verdict = judged === 'wrong' && verdict !== undefined ? verdict : judged
  }
  if (open !== undefined && verdict === undefined) return open
  throw verdict === undefined ? closed(kind) : unproven(verdict)

  async function judge(secret: string): Promise<Verdict> {
    const judged = verify(kind, headers, bytes, secret, clock.now())
    if (judged !== 'right' || kind !== 'generic') return judged
    if (stampIn(kind, headers) === undefined)
      return (await stamped.has(secret)) ? 'unstamped' : judged
    await stamped.add(secret)
    return judged
  }
}

/** What comes without the header of a forge is signed as GitHub does it. */
function isHmac(hook: HookDeclared, kind: Kind): boolean {
  return kind === 'generic' && hook.kind === 'github'
}

function closed(kind: Kind): Problem {
  return forbidden(
    `webhooks of ${kind} are off: no secret is declared for them`,
    "declare a hook with a secret, or say open: true (with docker-cd's variables WEBHOOK_SECRET, TEND_OPEN_WEBHOOK=true)",
  )
}

function unproven(verdict: Exclude<Verdict, 'right'>): Problem {
  const words = {
    missing: 'missing signature header',
    wrong: 'invalid signature',
    old: 'the timestamp is too far from now',
    unstamped: 'the header X-Tend-Timestamp is missing',
  }
  return new Problem({ type: 'configuration', code: 'unauthorized', message: words[verdict] })
}

function isPush(kind: Kind, event: string | undefined): boolean {
  const { pushes } = forges[kind]
  return pushes.length === 0 || (event !== undefined && pushes.includes(event))
}

function marksOf({ kind, headers, bytes }: Delivery, body: string | undefined): readonly string[] {
  const id = header(headers, forges[kind].delivery)
  const stamp = stampIn(kind, headers)
  return [
    ...(id === undefined ? [] : [`${kind} id ${id}`]),
    ...(stamp === undefined ? [] : [`${kind} ${stamp} ${hashOf(bytes)}`]),
    ...(body === undefined ? [] : [body]),
  ]
}

/**
 * What a forge signed is told apart by itself too, because headers are not signed: neither its id, nor its event, nor whose it is.
 * So it counts once, whatever headers are put before it.
 */
function bodyMark({ kind, bytes }: Delivery): string | undefined {
  if (kind === 'generic' || kind === 'gitlab' || bytes.length === 0) return undefined
  return `body ${hashOf(bytes)}`
}

/** Whoever signs a body of their own without a timestamp may send the same one again, but not what a forge sent before. */
function isUnstamped({ kind, headers }: Delivery): boolean {
  return kind === 'generic' && stampIn(kind, headers) === undefined
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url')
}

/** A secret that speaks for some repositories wakes no others. */
function confined(
  pushes: readonly Pushed[] | undefined,
  { source }: HookDeclared,
): readonly Pushed[] | undefined {
  if (source?.kind !== 'git') return pushes
  const urls = [source.url]
  if (pushes === undefined) return [{ urls, ref: undefined, revision: undefined }]
  return pushes.map((push) => {
    if (push.urls.length === 0) return { ...push, urls }
    if (push.urls.some((url) => isSameRepository(url, source.url))) return { ...push, urls }
    throw forbidden(
      'this secret does not speak for the repository that was pushed to',
      'declare a hook with a secret for it',
    )
  })
}

/** Of one repository alone it is clear that it is meant, under whatever address the forge knows it. */
function isOnly(service: Service): boolean {
  const repositories = service.sources().filter(({ refType }) => !notPushed.has(refType))
  return new Set(repositories.map(({ shown }) => shown)).size <= 1
}

const notPushed: ReadonlySet<string> = new Set(['directory', 'artifact', 'table', 'declarations'])

function ask(
  service: Service,
  pushes: readonly Pushed[] | undefined,
  mayWiden: boolean,
  sender: (name: string | undefined) => string,
): HookResult {
  const isBusy = service.sources().some(({ state }) => state === 'refreshing')
  const status = isBusy ? 'queued' : 'refreshing'
  const by = pushes?.[0]?.by
  const anything = { urls: [], ref: undefined, revision: undefined, by }
  const isUnclear = pushes?.some(({ ref }) => ref === undefined) ?? true
  const all = pushes === undefined || (mayWiden && isUnclear) ? [anything] : pushes
  const asked = all.map((push) => pushed(service, { ...push, by: sender(push.by) }, mayWiden))
  const keys = [...new Set(asked.flatMap((one) => one.keys))]
  const isFollowed = asked.some((one) => one.isFollowed)
  if (!isFollowed) return { kind: 'ignored', why: unfollowed(all) }
  const done = Promise.all(asked.map((one) => one.done)).then((answers) => answers.flat())
  return { kind: 'asked', status, keys, done }
}

function pushed(service: Service, push: Pushed, mayWiden: boolean) {
  const asked = service.pushed(push)
  return mayWiden && !asked.isFollowed ? service.pushed({ ...push, urls: [] }) : asked
}

/** What a forge sent is shown in short: the name of a ref may be as long as a body. */
function unfollowed(pushes: readonly Pushed[]): string {
  const refs = [...new Set(pushes.map(({ ref }) => ref ?? 'anything'))]
  const named = refs.slice(0, 3).map((ref) => escapeControls(ref.slice(0, 200)))
  const others = refs.length > named.length ? ` and ${refs.length - named.length} others` : ''
  const which = named.length === 0 ? 'what was deleted' : `${named.join(', ')}${others}`
  return `no source follows ${which} of the repository that was pushed to`
}

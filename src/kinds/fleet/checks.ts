/** Whether table, clusters, routes and registrations of a fleet agree: what a reconcile would do, and a request through each route. Changes nothing. */
import * as haproxy from '#clients/haproxy/proxy.ts'
import { connect, type Connection } from '#clients/http/connection.ts'
import { preview } from '#engine/preview.ts'
import { problemOf } from '#model/problem.ts'
import { reservedCluster, type ClusterRow } from '#model/clusters.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import type { Plan } from '#model/plan.ts'
import { fleetKind, fleetTarget } from '#domains/fleet/domain.ts'
import { renderFleet } from '#domains/fleet/render/render.ts'
import { hostOfCluster } from '#domains/fleet/registrations/routes.ts'
import type { FleetContext } from '#domains/fleet/fleet-context.ts'
import { undeclaredClusters, undeclaredText } from '#domains/fleet/observe/undeclared-clusters.ts'
import { verified } from '#domains/fleet/look/verify.ts'
import type { FleetAround } from './around.ts'
import { fleetApplication } from './application.ts'
import { proxyFor } from './registrations.ts'
import { namespaceOf } from './settings.ts'
import { fleetFolder } from './fleet-context.ts'

export type Check = {
  readonly name: string
  readonly state: 'ok' | 'failed'
  readonly message: string
}

type Looking = { readonly around: FleetAround; readonly signal: AbortSignal }

/** Makes one check after the other, so that what was found counts also when a later check fails. `database` is the file of the table. */
export async function* fleetChecks(
  context: FleetContext,
  database: string,
  looking: Looking,
): AsyncIterable<Check> {
  yield check('database', '', `${context.declared.rows.length} rows`)
  const plan = await planFor(context, database, looking)
  yield* clusterChecks(context, plan)
  yield* registrationChecks(context, plan)
  yield* await coverChecks(context, looking)
  yield await leftovers(context, plan, looking.signal)
  yield* await routeChecks(context, looking)
}

export function check(name: string, wrong: string, good: string): Check {
  return { name, state: wrong === '' ? 'ok' : 'failed', message: wrong === '' ? good : wrong }
}

/** Whatever a reconcile would do does not agree. */
async function planFor(
  context: FleetContext,
  database: string,
  { around, signal }: Looking,
): Promise<Plan> {
  const rendered = renderFleet({ ...context, database })
  const application = fleetApplication(context.settings)
  const asked = { application, instance: around.instance, rendered, revision: '', since: 0 }
  const place = { kind: fleetKind('told later'), target: fleetTarget(context) }
  const { plan } = await preview(asked, place, signal)
  return plan
}

/** `dev, uat: it is missing; prod: …`: what is wrong with several is said once. */
function together(items: readonly (readonly [string, string])[]): string {
  const byMessage = new Map<string, string[]>()
  for (const [name, message] of items) {
    byMessage.set(message, [...(byMessage.get(message) ?? []), name])
  }
  return [...byMessage].map(([message, names]) => `${names.join(', ')}: ${message}`).join('; ')
}

function clusterChecks(context: FleetContext, plan: Plan): readonly Check[] {
  const { records } = verified(context, context.memory.observations ?? new Map())
  const wrong = records.filter(({ result }) => result !== 'OK')
  const rows = plan.skipped.filter(
    ({ ref, problem }) => kindOf(ref) === 'cluster' && problem.type === 'validation',
  )
  const states = wrong.map(({ name, result, message }) => [`${name} ${result}`, message] as const)
  return [
    check('clusters', together(states), `${records.length} as declared`),
    check('rows', together(rows.map(({ ref, problem }) => [nameOf(ref), problem.message])), 'good'),
  ]
}

function registrationChecks(
  { registrations, declared }: FleetContext,
  plan: Plan,
): readonly Check[] {
  const present = new Set(declared.rows.filter(isWanted).map(({ name }) => name))
  return registrations.map(({ kind, noun, shared }) => {
    const isOf = ({ ref }: { readonly ref: Ref }): boolean => kindOf(ref) === kind
    const steps = plan.groups.filter((one) => isOf(one) && one.step !== 'delete')
    const wrong = [
      ...steps.map(({ ref, cause }) => [nameOf(ref), cause] as const),
      ...plan.skipped
        .filter(isOf)
        .map(({ ref, problem }) => [nameOf(ref), problem.message] as const),
    ]
    const isCounted = (name: string): boolean =>
      present.has(name) || (noun !== 'route' && shared?.has(name) === true)
    const count = plan.unchanged.filter((ref) => kindOf(ref) === kind && isCounted(nameOf(ref)))
    return check(pluralOf(noun), together(wrong), `${count.length} as declared`)
  })
}

function isWanted({ name, desired }: ClusterRow): boolean {
  return name !== reservedCluster && desired === 'present'
}

function pluralOf(noun: string): string {
  return noun.endsWith('h') ? `${noun}es` : `${noun}s`
}

/** Registrations of clusters that no row declares any more: a second run would find them again. */
async function leftovers(
  context: FleetContext,
  { groups }: Plan,
  signal: AbortSignal,
): Promise<Check> {
  const left = groups.filter(({ step }) => step === 'delete').map(({ ref }) => ref)
  const all = [left.join(', '), undeclaredText(await undeclaredClusters(context, signal))]
  return check('leftovers', all.filter((words) => words !== '').join('; '), 'none')
}

const longestWait = 15_000
const pause = 500

/** Other programs make these after us, and need a while for it. */
async function coverChecks(
  { registrations }: FleetContext,
  { around, signal }: Looking,
): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const registration of registrations) {
    if (registration.lacks === undefined) continue
    const name = registration.covers ?? `${registration.noun} of each cluster`
    try {
      let missing = await registration.lacks(signal)
      const patience = registration.isToldAtOnce === true ? 0 : longestWait
      for (let waited = 0; missing.length > 0 && waited < patience; waited += pause) {
        await around.clock.sleep(pause, signal)
        missing = await registration.lacks(signal)
      }
      checks.push(check(name, missing.join('; '), registration.covered ?? 'there'))
    } catch (thrown) {
      signal.throwIfAborted()
      checks.push(check(name, problemOf(thrown).message, ''))
    }
  }
  return checks
}

/** Checks that a request through each route gets an answer. HAProxy itself answers 404, 502 and 503 when nobody is behind a route. */
async function routeChecks(
  context: FleetContext,
  { around, signal }: Looking,
): Promise<readonly Check[]> {
  const { settings } = context
  const proxy = proxyFor(settings, around, fleetFolder(settings, around))
  if (proxy === undefined) return []
  const good = await haproxy.checkConfig(proxy, signal).then(
    () => '',
    (thrown: unknown) => problemOf(thrown).message,
  )
  const rows = context.declared.rows.filter((row) => {
    const isRouted = context.declared.notes.get(row.name)?.registrations.route ?? true
    return isWanted(row) && isRouted && (row.httpPort ?? row.nodePort) !== null
  })
  const connection = connect(placeOf(proxy.http), 8)
  const baseDomain = settings.baseDomain ?? ''
  const namespace = namespaceOf(settings, around)
  const answers = rows.map(async (row): Promise<readonly (readonly [string, string])[]> => {
    const host = `whoami.${hostOfCluster(row.name, { baseDomain, namespace })}`
    const wrong = await answerThrough(connection, host, signal)
    return wrong === '' ? [] : [[host, `${wrong}${adviceFor(row)}`]]
  })
  const wrong = (await Promise.all(answers)).flat()
  connection.close()
  return [
    check('haproxy', good, 'its configuration is good'),
    check('requests', together(wrong), `${rows.length} answered`),
  ]
}

/** Empty: somebody other than the proxy answered. */
async function answerThrough(
  connection: Connection,
  host: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const call = {
      method: 'GET',
      path: '/',
      headers: { Host: host },
      signal,
      silence: 5000,
    } as const
    const { status, body } = await connection.send(call)
    let text = ''
    for await (const part of body) text += Buffer.from(part).toString()
    if (text === 'no such environment\n') return `${status}, HAProxy knows no such route`
    return [502, 503, 504].includes(status) ? `${status}, nobody answers behind HAProxy` : ''
  } catch (thrown) {
    return problemOf(thrown).message
  }
}

function adviceFor({ provider, httpPort }: ClusterRow): string {
  if (provider === 'kwok') return ' (kwok runs nothing that could: --no-route)'
  return httpPort === null ? '' : ` on port ${httpPort}: does the cluster run an ingress?`
}

/** The address at which HAProxy answers, from what it is bound to: `*:80`, `127.0.0.1:80,[::1]:80`, `:443 ssl crt x`. */
function placeOf(bind: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = '80'] = /^\[?([^\],\s]*?)\]?:(\d+)/.exec(bind) ?? []
  return {
    host: ['', '*', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host,
    port: Number(port),
  }
}

/** Whether table, clusters, routes and registrations agree: looked at, never changed. */
import * as haproxy from '#clients/haproxy/proxy.ts'
import { connect, type Connection } from '#clients/http/connection.ts'
import { preview } from '#engine/preview.ts'
import { problemOf } from '#model/problem.ts'
import { reservedCluster, type ClusterRow } from '#model/clusters.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import type { Plan } from '#model/plan.ts'
import { fleetKind, fleetTarget } from '#domains/fleet/domain.ts'
import { renderFleet } from '#domains/fleet/render.ts'
import { hostOfCluster } from '#domains/fleet/routes.ts'
import type { Site } from '#domains/fleet/site.ts'
import { straysOf, strayWords } from '#domains/fleet/strays.ts'
import { verified } from '#domains/fleet/verify.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Desk } from '../session.ts'
import { applicationOf } from './pass.ts'
import { proxyFor } from './facets.ts'
import { databaseOf, withClusters } from './open.ts'
import { namespaceOf, settingsFor } from './settings.ts'
import { fleetFolder, reconciling, siteFor } from './site.ts'

export type Check = {
  readonly name: string
  readonly state: 'ok' | 'failed'
  readonly message: string
}

export async function validate(flags: Flags, desk: Desk): Promise<readonly Check[]> {
  const { session, signal } = desk
  const settings = settingsFor(flags, databaseOf(flags, session))
  const checks: Check[] = []
  try {
    await withClusters(flags, session, 'read', async (clusters) => {
      const site = await siteFor(clusters, settings, reconciling, session)
      checks.push(check('database', '', `${site.declared.rows.length} rows`))
      const plan = await planFor(site, clusters.file, desk)
      checks.push(...clusterChecks(site, plan), ...facetChecks(site, plan))
      checks.push(...(await coverChecks(site, desk)), await leftovers(site, plan, signal))
      checks.push(...(await routeChecks(site, desk)))
      signal.throwIfAborted()
    })
  } catch (thrown) {
    signal.throwIfAborted()
    const { message, suggestion, code } = problemOf(thrown)
    const what = code === 'store_unusable' ? 'database' : 'fleet.yaml'
    checks.push(check(what, `${message}${suggestion === undefined ? '' : `; ${suggestion}`}`, ''))
  }
  return checks
}

function check(name: string, wrong: string, good: string): Check {
  return { name, state: wrong === '' ? 'ok' : 'failed', message: wrong === '' ? good : wrong }
}

/** What a reconcile would do is what does not agree. */
async function planFor(site: Site, database: string, { session, signal }: Desk): Promise<Plan> {
  const rendered = renderFleet({ ...site, database })
  const application = applicationOf(site.settings)
  const asked = { application, instance: session.instance, rendered, revision: '', since: 0 }
  const place = { kind: fleetKind(false), target: fleetTarget(site) }
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

function clusterChecks(site: Site, plan: Plan): readonly Check[] {
  const { records } = verified(site, site.memory.sights ?? new Map())
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

function facetChecks({ facets, declared }: Site, plan: Plan): readonly Check[] {
  const present = new Set(declared.rows.filter(isWanted).map(({ name }) => name))
  return facets.map(({ kind, noun, shared }) => {
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

/** What no row declares any more and is still registered: a second run would find it again. */
async function leftovers(site: Site, { groups }: Plan, signal: AbortSignal): Promise<Check> {
  const left = groups.filter(({ step }) => step === 'delete').map(({ ref }) => ref)
  const all = [left.join(', '), strayWords(await straysOf(site, signal))]
  return check('leftovers', all.filter((words) => words !== '').join('; '), 'none')
}

const longestWait = 15_000
const pause = 500

/** Others make these after us, and need a while. */
async function coverChecks({ facets }: Site, { session, signal }: Desk): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const facet of facets) {
    if (facet.lacks === undefined) continue
    const name = facet.covers ?? `${facet.noun} of each cluster`
    try {
      let missing = await facet.lacks(signal)
      for (let waited = 0; missing.length > 0 && waited < longestWait; waited += pause) {
        await session.clock.sleep(pause, signal)
        missing = await facet.lacks(signal)
      }
      checks.push(check(name, missing.join('; '), facet.covered ?? 'there'))
    } catch (thrown) {
      signal.throwIfAborted()
      checks.push(check(name, problemOf(thrown).message, ''))
    }
  }
  return checks
}

/** Whoever answers is reached through its route; HAProxy itself answers 404, 502 and 503 for one that is not. */
async function routeChecks(site: Site, { session, signal }: Desk): Promise<readonly Check[]> {
  const { settings } = site
  const proxy = proxyFor(settings, session, fleetFolder(settings, session))
  if (proxy === undefined) return []
  const good = await haproxy.checkConfig(proxy, signal).then(
    () => '',
    (thrown: unknown) => problemOf(thrown).message,
  )
  const rows = site.declared.rows.filter((row) => {
    const isRouted = site.declared.notes.get(row.name)?.registrations.route ?? true
    return isWanted(row) && isRouted && (row.httpPort ?? row.nodePort) !== null
  })
  const connection = connect(placeOf(proxy.http), 8)
  const baseDomain = settings.baseDomain ?? ''
  const namespace = namespaceOf(settings, session)
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

/** Empty: somebody answered who is not the proxy. */
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

/** Where HAProxy can be asked, of what it is bound to: `*:80`, `127.0.0.1:80,[::1]:80`, `:443 ssl crt x`. */
function placeOf(bind: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = '80'] = /^\[?([^\],\s]*?)\]?:(\d+)/.exec(bind) ?? []
  return {
    host: ['', '*', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host,
    port: Number(port),
  }
}

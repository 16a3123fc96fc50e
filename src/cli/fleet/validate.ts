/** Whether table, clusters, routes and registrations agree: looked at, never changed. */
import { connect } from '#clients/http/connection.ts'
import { planOf } from '#engine/plan/plan.ts'
import { problemOf } from '#model/problem.ts'
import { reservedCluster } from '#model/clusters.ts'
import { kindOf, nameOf } from '#model/ref.ts'
import type { Plan } from '#model/plan.ts'
import { fleetKind, fleetTarget } from '#domains/fleet/domain.ts'
import { renderFleet } from '#domains/fleet/render.ts'
import type { Site } from '#domains/fleet/site.ts'
import { verified } from '#domains/fleet/verify.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Desk } from '../session.ts'
import { applicationOf } from './pass.ts'
import { proxyFor } from './facets.ts'
import { databaseOf, withClusters } from './open.ts'
import { settingsFor } from './settings.ts'
import { fleetFolder, reconciling, siteFor } from './site.ts'

export type Check = {
  readonly name: string
  readonly state: 'ok' | 'failed'
  readonly message: string
}

export async function validate(flags: Flags, desk: Desk): Promise<readonly Check[]> {
  const { session, signal } = desk
  const checks: Check[] = []
  try {
    const settings = settingsFor(flags, databaseOf(flags, session))
    await withClusters(flags, session, 'read', async (clusters) => {
      const site = await siteFor(clusters, settings, reconciling, session)
      checks.push(check('database', '', `${site.declared.rows.length} rows`))
      const plan = await planFor(site, clusters.file, desk)
      checks.push(...clusterChecks(site, plan), ...facetChecks(site, plan))
      checks.push(...(await routeChecks(site, desk)))
      signal.throwIfAborted()
    })
  } catch (thrown) {
    signal.throwIfAborted()
    checks.push(check('database', problemOf(thrown).message, ''))
  }
  return checks
}

function check(name: string, wrong: string, good: string): Check {
  return { name, state: wrong === '' ? 'ok' : 'failed', message: wrong === '' ? good : wrong }
}

/** What a reconcile would do is what does not agree. */
async function planFor(site: Site, database: string, { session, signal }: Desk): Promise<Plan> {
  const rendered = renderFleet({ ...site, database })
  const owner = session.instance
  const wanted = rendered.resources
  const report = (): void => undefined
  const world = await fleetTarget(site).observe({ owner, wanted, refresh: false, signal, report })
  const application = applicationOf(site.settings)
  const identity = { owner, application, version: '', revision: '', since: 0 }
  const allowed = { recreateVolumes: false, pruneVolumes: false }
  return planOf({ rendered, world, kind: fleetKind(false), identity, allowed })
}

function clusterChecks(site: Site, plan: Plan): readonly Check[] {
  const { records } = verified(site, site.memory.sights ?? new Map())
  const wrong = records.filter(({ result }) => result !== 'OK')
  const rows = plan.skipped.filter(({ ref }) => kindOf(ref) === 'cluster')
  const text = wrong.map(({ name, result, message }) => `${name} ${result}: ${message}`).join('; ')
  return [
    check('clusters', text, `${records.length} as declared`),
    check(
      'rows',
      rows.map(({ ref, problem }) => `${nameOf(ref)}: ${problem.message}`).join('; '),
      'good',
    ),
  ]
}

function facetChecks({ facets }: Site, plan: Plan): readonly Check[] {
  return facets.map(({ kind, noun }) => {
    const steps = plan.groups.filter(({ ref }) => kindOf(ref) === kind)
    const skipped = plan.skipped.filter(({ ref }) => kindOf(ref) === kind)
    const wrong = [
      ...steps.map(({ ref, cause }) => `${nameOf(ref)}: ${cause}`),
      ...skipped.map(({ ref, problem }) => `${nameOf(ref)}: ${problem.message}`),
    ]
    const count = plan.unchanged.filter((ref) => kindOf(ref) === kind).length
    return check(`${noun}s`, wrong.join('; '), `${count} as declared`)
  })
}

/** Whoever answers is reached through its route; HAProxy itself answers 404, 502 and 503 for one that is not. */
async function routeChecks(site: Site, { session, signal }: Desk): Promise<readonly Check[]> {
  const { settings } = site
  const proxy = proxyFor(settings, session, fleetFolder(settings, session))
  if (proxy === undefined) return []
  const listen = proxy.http.split(',')[0] ?? ''
  const port = Number(listen.slice(listen.lastIndexOf(':') + 1))
  const host = /^[\d.]+:/.test(listen) ? listen.slice(0, listen.lastIndexOf(':')) : '127.0.0.1'
  const rows = site.declared.rows.filter(({ name, desired }) => {
    const isRouted = site.declared.notes.get(name)?.registrations.route ?? true
    return name !== reservedCluster && desired === 'present' && isRouted
  })
  const connection = connect({ host, port }, 8)
  const wrong: string[] = []
  for (const { name } of rows) {
    const named = `whoami.${name}.${settings.baseDomain ?? ''}`
    try {
      const headers = { Host: named }
      const call = { method: 'GET', path: '/', headers, signal, silence: 5000 } as const
      const { status, body } = await connection.send(call)
      let text = ''
      for await (const part of body) text += Buffer.from(part).toString()
      const isLost = [502, 503, 504].includes(status)
      if (isLost || text === 'no such environment\n') wrong.push(`${named}: ${status}`)
    } catch (thrown) {
      wrong.push(`${named}: ${problemOf(thrown).message}`)
    }
  }
  connection.close()
  return [check('requests', wrong.join('; '), `${rows.length} answered`)]
}

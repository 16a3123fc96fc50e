/** The service as one process: declarations in, HTTP out, until it is told to end. */
import { isOfCluster } from '#kinds/all.ts'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { openAlerts } from '#controller/alerts/open-alerts.ts'
import { readSecret } from '#controller/declare/read-secret.ts'
import type { Hold } from '#controller/flux/lease.ts'
import type { Flux } from '#controller/flux/open-flux.ts'
import { withFlux } from '#controller/flux/with-flux.ts'
import { openService, type Controller } from '#controller/open-service.ts'
import { recordTimeline } from '#controller/run/record-timeline.ts'
import { renderPool } from '#controller/render/render-pool.ts'
import type { Dependencies } from '#controller/dependencies.ts'
import type { Peers } from '#controller/replicas/peers.ts'
import type { ServiceEvent } from '#model/service.ts'
import type { Declarations, SecretFrom } from '#model/declaration.ts'
import { originsIn, remoteBasesOf } from '#sources/remote-bases.ts'
import { listTokens, setLocalToken } from '#server/access/tokens.ts'
import { serveHttp, type Served } from '#server/serve.ts'
import type { CommandContext, Memory } from '../session.ts'
import { carryOverSuspended } from './carry-over-suspended.ts'
import { closers } from './closers.ts'
import { clusterTurn } from './cluster-turn.ts'
import { fileToken } from './file-token.ts'
import type { Followed } from './follow-declarations.ts'
import { accessText, greeting } from './greeting.ts'
import { serverLog, serviceLog } from './log.ts'
import { fromHere, removeNote, writeNote } from './note.ts'
import { openParts } from './open-parts.ts'
import type { Supervisor } from './systemd-notify.ts'
import { openKube, type ClusterAsked } from '../kube/open-kube.ts'
import { dashboardFiles } from './dashboard-files.ts'
import { explained } from './who-listens.ts'
import { defined } from '#model/defined.ts'

/** Set where several services share one database. */
type Together = {
  readonly peers: Peers
  readonly offers: NonNullable<Dependencies['offers']>
  /** Is told the address once the service answers there. */
  announce(address: Served['address']): Promise<void>
}

/** Resolves when the service has ended. */
export async function runService(
  followed: Followed,
  context: CommandContext,
  memory: Memory,
  supervisor: Supervisor,
  cluster?: ClusterAsked,
  together?: Together,
): Promise<void> {
  const { session, screen, signal } = context
  const { clock, environment, home, instance } = session
  const { notes } = memory
  const { log: wanted, listen, warnings } = followed.now()
  const log = serviceLog((line) => screen.print([line]), wanted, clock)
  const secret = (from: SecretFrom): Promise<string> => readSecret(from, environment)
  const token = fileToken(environment)
  const atEnd = closers()
  try {
    const holder = `${hostname()} ${session.holder} ${randomUUID()}`
    const isDeclaredElsewhere = hasKustomizations(followed.now())
    const { store } = memory
    const renders = renderPool()
    atEnd.add(() => renders.stop())
    let listens = ''
    const around = { clock, log, store, holder, signal, isDeclaredElsewhere, environment, renders }
    const remoteBases = remoteBasesOf({
      origins: () => [...(followed.now().remoteBases ?? []), ...originsIn(environment)],
      cache: join(home, 'sources'),
      environment,
    })
    const own = { home, key: memory.key, remoteBases, listens: () => listens }
    const turn = together && cluster && clusterTurn(notes)
    const predecessor = await turn?.predecessor()
    const kube = cluster && (await openKube(cluster, { ...around, ...own, predecessor }))
    if (kube !== undefined) atEnd.add(() => kube.close())
    await turn?.taken(holder)
    const { peers } = together ?? {}
    const shared = together && { peers: together.peers, offers: together.offers }
    const parts = await openParts(followed.now(), memory, session, log, renders, kube, shared)
    await carryOverSuspended(notes, clock)
    const all = openService(parts)
    const flux = kube?.follow(all, followed.now())
    const service = flux === undefined ? all : withFlux(all, flux)
    const isOwn = (event: ServiceEvent): boolean => all.isOwn(event)
    const timeline = recordTimeline(service, memory.timeline, clock, log, isOwn)
    const alerts = await openAlerts({
      instance,
      declared: followed.now,
      notes,
      clock,
      readSecret: secret,
      warn: (text) => log('warning', text),
      record: (entry) => timeline.keep(entry),
      ...(peers === undefined ? {} : { isOurs: (key: string) => peers.isOurs(key) }),
    })
    all.onMoved((keys, areOurs) => void (areOurs ? alerts.takeOver(keys) : alerts.letGo(keys)))
    atEnd.add(() => alerts.close())
    atEnd.add(service.listen((event) => alerts.see(event)))
    atEnd.add(service.listen((event) => timeline.see(event)))
    const place = peers === undefined ? '' : `${hostname()} ${home}`
    const local = await setLocalToken(notes, clock, place)
    atEnd.add(() => local.forget())
    const dashboard = dashboardFiles()
    const served = await serveHttp({
      service,
      notes,
      audit: memory.audit,
      timeline: memory.timeline,
      declarations: followed.now,
      readSecret: secret,
      clock,
      log: serverLog(log),
      key: memory.key,
      fileToken: token?.text,
      artifactFile: kube?.artifactFile,
      dashboard,
    }).catch((thrown: unknown) => {
      throw explained(thrown, listen.port)
    })
    atEnd.add(() => served.close())
    await together?.announce(served.address)
    listens = fromHere(served.address)
    writeNote(home, fromHere(served.address), clock.now(), local.text)
    atEnd.add(() => removeNote(home, local.text))
    const { paths } = followed
    const tokens = (await listTokens(notes)).length
    const access = { declarations: followed.now(), tokens, tokenFile: token?.file }
    if (wanted.format === 'text') {
      const about = { url: served.address.url, paths, home, cluster: kube?.address }
      screen.print(greeting({ ...about, ...access, hasDashboard: dashboard !== undefined }))
    } else log('info', 'who may talk to the service', { access: accessText(access) })
    for (const warning of warnings) log('warning', warning)
    supervisor.ready(log)
    atEnd.add(() => supervisor.close())
    // runs are brought to an end before the rest: who waits for one over HTTP hears how it ended
    atEnd.add(() => service.stop())
    const refuse: Controller['refuse'] = (paths, problems) => all.refuse(paths, problems)
    atEnd.add(followed.follow(flux ?? service, log, refuse))
    await untilTold(
      service.start(),
      signal,
      flux && following(flux, defined(kube).hold, all, signal),
    )
    supervisor.stopping()
  } finally {
    await atEnd.close()
  }
}

export function hasKustomizations({ apps }: Declarations): boolean {
  return apps.some(({ application }) => isOfCluster(application))
}

/** Without the right to act on the cluster its objects are left alone and runs there end. Everything else goes on. */
async function following(
  flux: Flux,
  hold: Hold,
  service: Controller,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const period = hold.period()
    await flux.keep(AbortSignal.any([signal, period]))
    if (signal.aborted) return
    const paused = service.apps().filter(({ application }) => isOfCluster(application))
    for (const { key } of paused) service.interrupt(key)
    await hold.untilHeld(signal)
  }
}

/** The API answers while the service starts. The status of each application is given as soon as it is known. */
async function untilTold(
  beginning: Promise<void>,
  signal: AbortSignal,
  kept?: Promise<void>,
): Promise<void> {
  const told = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([told, beginning])
  await Promise.race([told, ...(kept === undefined ? [] : [kept])])
  await told
}

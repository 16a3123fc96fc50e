/** The service as one process: declarations in, HTTP out, until it is told to end. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { openAlerts } from '#controller/alerts/open-alerts.ts'
import { readSecret } from '#controller/declare/read-secret.ts'
import type { Hold } from '#controller/flux/lease.ts'
import type { Flux } from '#controller/flux/open-flux.ts'
import { withFlux } from '#controller/flux/with-flux.ts'
import { openService, type Controller } from '#controller/open-service.ts'
import { renderPool } from '#controller/render/render-pool.ts'
import type { Declarations, SecretFrom } from '#model/declaration.ts'
import { listTokens, setLocalToken } from '#server/access/tokens.ts'
import { serveHttp } from '#server/serve.ts'
import type { Desk, Memory } from '../session.ts'
import { closers } from './closers.ts'
import { fileToken } from './file-token.ts'
import type { Followed } from './follow-declarations.ts'
import { accessText, greeting } from './greeting.ts'
import { serverLog, serviceLog } from './log.ts'
import { fromHere, removeNote, writeNote } from './note.ts'
import { openParts } from './open-parts.ts'
import type { Supervisor } from './systemd-notify.ts'
import { openKube, type ClusterAsked } from '../kube/open-kube.ts'
import { explained } from './who-listens.ts'
import { withFleets } from './with-fleets.ts'

/** Returns when it has ended. */
export async function runService(
  followed: Followed,
  desk: Desk,
  memory: Memory,
  supervisor: Supervisor,
  cluster?: ClusterAsked,
): Promise<void> {
  const { session, screen, signal } = desk
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
    const around = { clock, log, store, holder, signal, isDeclaredElsewhere, environment, renders }
    const kube = cluster && (await openKube(cluster, around))
    if (kube !== undefined) atEnd.add(() => kube.close())
    const parts = await openParts(followed.now(), memory, session, log, renders, kube)
    const alone = openService(parts)
    const own = withFleets(alone, followed.now(), session, memory, log)
    const flux = kube?.follow(own, followed.now())
    const service = flux === undefined ? own : withFlux(own, flux)
    const alerts = await openAlerts({
      instance,
      declared: followed.now,
      notes,
      clock,
      readSecret: secret,
      warn: (text) => log('warning', text),
    })
    atEnd.add(() => alerts.close())
    atEnd.add(service.listen((event) => alerts.see(event)))
    const local = await setLocalToken(notes, clock)
    atEnd.add(() => local.forget())
    const served = await serveHttp({
      service,
      notes,
      audit: memory.audit,
      declarations: followed.now,
      readSecret: secret,
      clock,
      log: serverLog(log),
      fileToken: token?.text,
    }).catch((thrown: unknown) => {
      throw explained(thrown, listen.port)
    })
    atEnd.add(() => served.close())
    writeNote(home, fromHere(served.address), clock.now(), local.text)
    atEnd.add(() => removeNote(home, local.text))
    const { paths } = followed
    const tokens = (await listTokens(notes)).length
    const access = { declarations: followed.now(), tokens, tokenFile: token?.file }
    if (wanted.format === 'text') {
      const about = { url: served.address.url, paths, home, cluster: kube?.address }
      screen.print(greeting({ ...about, ...access }))
    } else log('info', 'who may talk to the service', { access: accessText(access) })
    for (const warning of warnings) log('warning', warning)
    supervisor.ready(log)
    atEnd.add(() => supervisor.close())
    // runs are brought to an end before the rest: who waits for one over HTTP hears how it ended
    atEnd.add(() => service.stop())
    atEnd.add(followed.follow(flux ?? service, log))
    await untilTold(service.start(), signal, flux && following(flux, kube!.hold, own, signal))
    supervisor.stopping()
  } finally {
    await atEnd.close()
  }
}

export function hasKustomizations({ apps }: Declarations): boolean {
  return apps.some(({ application }) => application.kind === 'kustomization')
}

/** Without the right to act on the cluster its objects are left alone, and runs there end; everything else goes on. */
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
    const paused = service.apps().filter(({ application }) => application.kind === 'kustomization')
    for (const { key } of paused) service.interrupt(key)
    await hold.untilHeld(signal)
  }
}

/** It answers while it begins; statuses come as they are known. */
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

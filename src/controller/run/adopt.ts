/** Takes over what another program started under an application's name: docker-cd's as it is, others' where that is wanted. */
import type { Rendered } from '#model/domain.ts'
import type { Adoption, Orphan, Ports } from '#model/connection.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { unchanged } from '#model/unchanged.ts'
import { checkRight } from '../guards/check-right.ts'
import type { ServiceState } from '../state/service-state.ts'
import { renderAnswer, renderedOf, renderInputOf } from '../sources/desired-state.ts'
import type { Wanted } from './execute-run.ts'
import type { AppState } from '../state/app-state.ts'

const patience = 30_000

/** Before a run. `isAsked`: somebody said so for this run alone. Gives what differs and is left to whoever made it. */
export async function adoptFor(
  service: ServiceState,
  app: AppState,
  wanted: Wanted,
  isAsked: boolean,
): Promise<Adoption['differing']> {
  const { clock, log } = service.dependencies
  const origin = originOf(service, app)
  const which = origin === undefined ? whichOf(app, isAsked) : 'all'
  const connection = app.monitor?.connection()
  if (which === undefined || connection?.adopt === undefined) return []
  const rendered =
    origin === undefined
      ? wanted.rendered
      : await renderedAsStarted(service, app, wanted.rendered, origin)
  checkRight(service, app.key)
  const { matching, differing } = await connection.adopt(
    rendered,
    identityOf(app, rendered, wanted.revision),
    { at: clock.now(), which },
    AbortSignal.timeout(patience),
  )
  const counts = { matching: matching.length, differing: differing.length }
  const isLeft = which === 'matching'
  if (counts.matching > 0 || (counts.differing > 0 && !isLeft)) {
    log('info', 'adopted', { app: app.key, ...counts })
  }
  return isLeft ? differing : []
}

/** What a plan is made with: as if all had been taken over that a run would take over. */
export async function portsAsAdopted(
  app: AppState,
  rendered: Rendered,
  isAsked: boolean,
  signal: AbortSignal,
): Promise<(Adoption & { readonly ports: Ports; readonly which: 'matching' | 'all' }) | undefined> {
  const which = whichOf(app, isAsked)
  const { declared } = app
  if (which === undefined) return undefined
  const revision = app.branch?.status.revision ?? ''
  const identity = identityOf(app, rendered, revision)
  const wish = { at: undefined, which, declared }
  const found = await app.monitor?.connection().adopt?.(rendered, identity, wish, signal)
  return found && { ...found, which }
}

/** The line of a plan that says what would be taken over. */
export function adoptionWords(
  { matching, differing }: Adoption,
  which: 'matching' | 'all',
): readonly string[] {
  return [
    ...(matching.length > 0 ? [`taken over as they are: ${matching.join(', ')}`] : []),
    ...differing.map(({ ref, why }) =>
      which === 'all'
        ? `taken over and made anew: ${ref}, because ${why}`
        : `left to docker compose: ${ref}, because ${why}`,
    ),
  ]
}

/** Why it is in the way still, though what matches was taken over. */
export function explainLeft(problem: ProblemFacts, left: Adoption['differing']): ProblemFacts {
  const why = left.find(({ ref }) => ref === problem.ref)?.why
  if (problem.code !== 'name_taken' || why === undefined) return problem
  return { ...problem, message: `${problem.message}, and can't stay as it is: ${why}` }
}

function whichOf({ declared }: AppState, isAsked: boolean): 'matching' | 'all' | undefined {
  if (isAsked) return 'all'
  const { adopt = 'never' } = declared?.policy ?? {}
  return adopt === 'never' ? undefined : adopt
}

/** What docker-cd started under this name, and nobody else owns, is taken over as it is, once. */
function originOf(
  service: ServiceState,
  { monitor, application, persisted, declared, branch }: AppState,
) {
  const isFirst = persisted.synced === undefined && service.declarations.isOrigin
  const isKnown = declared !== undefined && branch?.snapshot !== undefined
  return isFirst && isKnown ? monitor?.listing()?.orphans.get(application.name) : undefined
}

async function renderedAsStarted(
  service: ServiceState,
  app: AppState,
  rendered: Rendered,
  orphan: Orphan,
): Promise<Rendered> {
  const input = renderInputOf(service, app)
  const answer = await renderAnswer(service, app, input, undefined, orphan)
  return answer === unchanged ? rendered : renderedOf(service, app, input, answer)
}

function identityOf(
  { owner, application, persisted }: AppState,
  { version }: Rendered,
  revision: string,
) {
  return { owner, application, version, revision, since: persisted.since }
}

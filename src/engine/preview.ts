/** What a run would do now: observes and plans what was rendered, and applies nothing. */
import { ownerOf, type Application } from '#model/application.ts'
import type { Kind, Permissions, Rendered, Target } from '#model/domain.ts'
import type { Plan } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import type { Observation } from '#model/resource.ts'
import { planOf } from './plan/plan.ts'

type PreviewRequest = {
  readonly application: Application
  readonly instance: string
  readonly rendered: Rendered
  readonly revision: string
  /** When the application was first installed, ms. */
  readonly since: number
  /** What the user allowed explicitly; nothing else that needs such a word is planned. */
  readonly allowed?: Permissions
  /** Whether registries are asked for moved tags first. A dry run never asks. */
  readonly refresh?: boolean
  /** A run follows, so health is looked at too. Otherwise the plan is all that is wanted. */
  readonly precedesRun?: boolean
  report?(ref: Ref, progress: string): void
}

export type Preview = {
  readonly world: Observation
  readonly plan: Plan
}

const nothingAllowed: Permissions = { recreateVolumes: false, pruneVolumes: false }

/** `plan`, `diff`, `status`, drift detection, `validate`, dry runs and runs all get their plan here. */
export async function preview(
  request: PreviewRequest,
  { kind, target }: { readonly kind: Kind; readonly target: Target },
  signal: AbortSignal,
): Promise<Preview> {
  const { application, instance, rendered, revision, since } = request
  const { resources: wanted, vault, version } = rendered
  const owner = ownerOf(instance, application)
  const world = await target.observe({
    owner,
    wanted,
    refresh: request.refresh === true,
    isGlance: request.precedesRun !== true,
    signal,
    open: (secret) => vault.open(secret),
    report: (ref, progress) => request.report?.(ref, progress),
  })
  const identity = { owner, application, version, revision, since }
  const plan = planOf({
    rendered,
    world,
    kind,
    identity,
    allowed: request.allowed ?? nothingAllowed,
  })
  return { world, plan }
}

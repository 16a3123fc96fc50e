/** Stops a plan that would remove much: more often a mistake than a wish. */
import { Problem } from '#model/problem.ts'
import type { Application } from '#model/application.ts'
import type { Plan } from '#model/plan.ts'

export type GuardOptions = {
  readonly allowEmpty: boolean
  readonly allowMassDelete: boolean
  /** How the caller can say that the removal is meant. Unset: by a flag of the command. */
  readonly wayOut?: (flag: 'allow-empty' | 'allow-mass-delete') => string
}

const atLeast = 10

export function guard(
  plan: Plan,
  counts: { readonly declared: number; readonly existing: number },
  application: Application,
  options: GuardOptions,
): void {
  const { declared, existing } = counts
  const removed = plan.groups.filter((group) => group.step === 'delete').length
  if (declared === 0 && removed > 0 && !options.allowEmpty) {
    throw new Problem({
      type: 'configuration',
      code: 'would_remove_all',
      message: `This would remove all ${removed} resources of ${application.name} (the new ${application.kind} declares none).`,
      suggestion: `if that is meant, ${options.wayOut?.('allow-empty') ?? 'add --allow-empty'}`,
    })
  }
  if (removed >= atLeast && removed * 2 > existing && !options.allowMassDelete) {
    throw new Problem({
      type: 'configuration',
      code: 'would_remove_much',
      message: `This would remove ${removed} of ${existing} resources of ${application.name} (the new ${application.kind} declares ${declared}).`,
      suggestion: `if that is meant, ${options.wayOut?.('allow-mass-delete') ?? 'add --allow-mass-delete'}`,
    })
  }
}

/** Services that `--scale` names must exist: a misspelt name must not be ignored. */
import type { StackRendered } from '#domains/stacks/stack-input.ts'
import { isRecord, type Json } from '#model/json.ts'
import { closest } from '../arguments/closest.ts'
import { usageProblem } from '../arguments/usage.ts'

export function checkScale(
  { model, problems }: StackRendered,
  scale: Readonly<Record<string, number>>,
): void {
  if (problems.length > 0) return
  const services = isRecord<Json>(model) ? model['services'] : undefined
  const names = isRecord<Json>(services) ? Object.keys(services) : []
  for (const name of Object.keys(scale)) {
    if (names.includes(name)) continue
    const meant = closest(name, names)
    throw usageProblem(
      `--scale ${name}=${scale[name]}: there is no service ${name}`,
      meant === undefined ? `there are: ${names.join(', ')}` : `did you mean ${meant}?`,
    )
  }
}

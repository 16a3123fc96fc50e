/** Conditions as Kubernetes has them, Ready always first: `conditions[0]` then tells the truth at every moment. */
import { recordsOf, textOf } from '#model/read-json.ts'
import type { Json, JsonRecord } from '#model/json.ts'

export type Condition = {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

export function conditionsOf(
  before: Json | undefined,
  wanted: readonly Condition[],
  generation: number,
  now: number,
): readonly JsonRecord[] {
  const old = new Map(recordsOf(before).map((one) => [textOf(one['type']), one]))
  const sorted = wanted.toSorted((a, b) => rank(a) - rank(b))
  return sorted.map(({ type, status, reason, message }) => {
    const known = old.get(type)
    const isSame = known?.['status'] === status && textOf(known['lastTransitionTime']) !== ''
    const lastTransitionTime = isSame ? textOf(known['lastTransitionTime']) : timeText(now)
    const text = message.length > longest ? `${message.slice(0, longest - 1)}…` : message
    const observedGeneration = generation
    return { type, status, reason, message: text, lastTransitionTime, observedGeneration }
  })
}

/** What the API takes. */
const longest = 32_768

function rank({ type }: Condition): number {
  return type === 'Ready' ? 0 : 1
}

/** Without fractions, as Kubernetes writes times. */
export function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}

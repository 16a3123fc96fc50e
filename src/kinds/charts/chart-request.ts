/** What the render of a chart is asked. */
import type { Declared } from '#model/declaration.ts'
import type { Policy } from '#model/policy.ts'
import type { RenderRequest } from '#model/render.ts'

export type ChartRequest = RenderRequest & {
  readonly path: string
  readonly values: Declared['values']
  readonly security: Policy
  readonly since: number
  /** Texts of key files of age, for files that are encrypted. */
  readonly ageKeys: readonly string[]
}

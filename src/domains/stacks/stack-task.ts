/** Work for a stack whose cost its files decide: it is asked of a render process. */
import type { KindTask } from '#model/render.ts'
import type { ContextAsked } from './context-files.ts'

/** Lists the context of a build. */
export type ContextTask = KindTask &
  ContextAsked & { readonly kind: 'stack'; readonly name: 'context' }

/** Fills files that stay where they are, or puts back what they held before. Each is a copy below the root. */
export type FillTask = KindTask & {
  readonly kind: 'stack'
  readonly name: 'fill' | 'unfill'
  readonly fills: readonly { readonly root: string; readonly from: string; readonly to: string }[]
}

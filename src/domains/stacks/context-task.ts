/** Listing the context of a build, asked of a render process. */
import type { KindTask } from '#model/render.ts'
import type { ContextAsked } from './context-files.ts'

export type ContextTask = KindTask &
  ContextAsked & { readonly kind: 'stack'; readonly name: 'context' }

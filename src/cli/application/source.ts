/** What is kept in plain with a run of where it came from. */
import { isList, isRecord, type Json } from '#model/json.ts'

export type Source = {
  /** Absolute. */
  readonly path: string | null
  /** Variables of the environment that secrets may read. */
  readonly allowEnv: readonly string[]
}

export function sourceOf(content: Json | undefined): Source {
  const record = isRecord<Json>(content) ? content : {}
  const { path, allowEnv } = record
  const names = isList<Json>(allowEnv) ? allowEnv : []
  return {
    path: typeof path === 'string' ? path : null,
    allowEnv: names.filter((name) => typeof name === 'string'),
  }
}

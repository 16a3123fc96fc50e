/** Where a run came from, as it is kept with the run in plain text. */
import { isList, isRecord, type Json } from '#model/json.ts'

export type Source = {
  /** The absolute path. */
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

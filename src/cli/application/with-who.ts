/** Who began a run goes into its record: the user of this shell, where a person asked, and nobody for what Tend does by itself. */
import { userInfo } from 'node:os'
import type { Trigger } from '#model/event.ts'
import { isRecord, type Json } from '#model/json.ts'

export function withWho(source: Json, trigger: Trigger): Json {
  if (!isRecord<Json>(source)) return source
  // the source may be that of an earlier run, which somebody else began
  const { by: _, ...rest } = source
  const isAsked = trigger === 'manual' || trigger === 'rollback'
  return isAsked ? { ...rest, by: shellUser().username } : rest
}

/** A user without an entry in the list of users has only a number. */
export function shellUser(): { readonly uid: number; readonly username: string } {
  try {
    return userInfo()
  } catch {
    // a user that is in no list has a number all the same
    const uid = process.getuid?.() ?? -1
    return { uid, username: `uid ${uid}` }
  }
}

/** On the way back only what is ours goes: a name may have been taken by somebody else after it was found to be free. */
import { recordLabel, type Labels } from './record.ts'
import { isRecord } from '#model/json.ts'
import type { Group } from '#model/plan.ts'
import type { Value } from '#model/value.ts'
import type { Payload } from './payload.ts'

/** Says in each removal of the way back whose the object has to be. */
export function withdrawingOnlyOwn(group: Group, owner: string): Group {
  const undo = group.undo.map((one) => {
    const { payload } = one
    const isRemoval = one.verb.endsWith('.remove') && isRecord<Value>(payload)
    return isRemoval ? { ...one, payload: { ...payload, owner } } : one
  })
  return { ...group, undo }
}

/** Whether the object that has the name now is not the one that was made. */
export function isOthers(payload: Payload, found: Labels): boolean {
  const { owner } = payload
  return typeof owner === 'string' && found[recordLabel.owner] !== owner
}

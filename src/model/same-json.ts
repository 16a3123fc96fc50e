/** Whether two values are the same once they are written as JSON: without writing them, for what is asked again and again. */
import { isRecord } from './json.ts'

/** A field that is undefined is as good as none; the order of fields says nothing. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, index) => isSameJson(item, other[index]))
  }
  if (!isRecord<unknown>(one) || !isRecord<unknown>(other)) return false
  for (const name in one) if (!isSameJson(one[name], other[name])) return false
  for (const name in other) {
    if (other[name] !== undefined && one[name] === undefined) return false
  }
  return true
}

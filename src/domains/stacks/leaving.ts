/** What stays though this render does not declare it: as docker compose has it, what a profile started stays when that profile is not asked for. */
import { kindOf, nameOf, type Ref } from '#model/ref.ts'

/** `inactive`: services that no active profile selects. */
export function leavingAlone(inactive: ReadonlySet<string>): (ref: Ref) => string | undefined {
  return (ref) =>
    kindOf(ref) === 'container' && inactive.has(nameOf(ref).replace(/-\d+$/, ''))
      ? 'its profile is not active now'
      : undefined
}

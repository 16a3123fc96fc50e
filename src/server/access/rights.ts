/** What the groups of a person may do here. */
import type { GroupRole } from '#model/login.ts'
import type { Role } from '../route.ts'
import { covers } from './keeper.ts'

type Rights = {
  readonly role: Role
  /** Patterns of the applications that may be seen; absent: all. */
  readonly apps?: readonly string[] | undefined
  /** Patterns of those that may be changed; absent: all. */
  readonly changes?: readonly string[] | undefined
}

/** Undefined: no group of theirs is listed. */
export function rightsOf(
  groups: readonly string[],
  listed: readonly GroupRole[],
): Rights | undefined {
  const own = listed.filter(({ group }) => group === '*' || groups.includes(group))
  const [first, ...others] = own
  if (first === undefined) return undefined
  const highest = others.reduce((a, b) => (covers(a.role, b.role) ? a : b), first).role
  const changing = own.filter(({ role }) => covers(role, 'sync'))
  return { role: highest, ...named('apps', own), ...named('changes', changing) }
}

/** One that is bound to nothing opens all. */
function named(key: 'apps' | 'changes', granted: readonly GroupRole[]): Partial<Rights> {
  const isBound = granted.length > 0 && granted.every(({ apps }) => apps !== undefined)
  if (!isBound) return {}
  return { [key]: [...new Set(granted.flatMap(({ apps = [] }) => apps))] }
}

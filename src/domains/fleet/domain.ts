/** The two ports of a fleet. */
import type { Kind, Target } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import { compare, type Recreation } from './compare/compare.ts'
import { expand } from './expand/expand.ts'
import { look } from './look/look.ts'
import { watch } from './look/watch.ts'
import { observe } from './observe/observe.ts'
import { operate } from './operate/operate.ts'
import type { FleetContext } from './fleet-context.ts'

export function fleetKind(recreation: Recreation): Kind {
  return {
    compare: (wanted, seen, vault) => compare(wanted, seen, vault, recreation),
    expand,
    keeps: () => undefined,
    subject: () => null,
    healthGate: (ref) => (kindOf(ref) === 'cluster' ? 'healthy' : undefined),
  }
}

export function fleetTarget(fleet: FleetContext): Target {
  return {
    observe: ({ wanted, signal }) => observe(fleet, wanted, signal),
    operate: (operation, context) => operate(fleet, operation, context),
    look: (ref, _subject, _gate, signal) => look(fleet, ref, signal),
    watch,
  }
}

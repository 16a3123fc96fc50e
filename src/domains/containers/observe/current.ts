/** Which container of a resource is the one, and which ones a killed run left beside it. */
import { isRecord, type Json } from '#model/json.ts'
import type { Recorded } from '#model/resource.ts'
import { spareText } from '../live-state.ts'
import { isNext, isPrevious } from '../object-names.ts'

type Listed = { readonly id: string; readonly name: string; readonly state: string }

export type Candidate<Container extends Listed> = {
  readonly container: Container
  readonly recorded: Recorded | undefined
  /** It was only tried out. */
  readonly isTrial?: boolean
}

export type Current<Container extends Listed> = Candidate<Container> & {
  readonly spares: readonly string[]
}

/** Undefined without a candidate. `byAge`: the newest first. */
export function currentOf<Container extends Listed>(
  candidates: readonly Candidate<Container>[],
  byAge: (one: Container, other: Container) => number,
): Current<Container> | undefined {
  const [current, ...others] = candidates.toSorted(
    (one, other) => rank(one) - rank(other) || byAge(one.container, other.container),
  )
  return current && { ...current, spares: others.map(({ container }) => spareText(container)) }
}

/** The one under its own name; else the kept old one, which was good; else whatever there is. */
function rank<Container extends Listed>(candidate: Candidate<Container>): number {
  const { container, recorded, isTrial } = candidate
  if (container.name === objectIn(recorded)) return 0
  if (isTrial === true) return 4
  if (isPrevious(container.name)) return 1
  return isNext(container.name) ? 3 : 2
}

function objectIn(recorded: Recorded | undefined): Json | undefined {
  const spec = recorded?.spec
  return isRecord<Json>(spec) ? spec['object'] : undefined
}

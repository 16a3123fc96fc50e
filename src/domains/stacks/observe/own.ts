/** What was taken over, and what is somebody else's. */
import type { Labels } from '#domains/containers/record.ts'
import { hashOf, type Json } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Absent, Present, Recorded, Resource } from '#model/resource.ts'
import { settled } from '#model/value.ts'
import { label } from '../labels.ts'

/** Why what was taken over is not as it should be. */
export function differsIn(labels: Labels): { readonly differs?: string } {
  const why = labels[label.differs]
  return why === undefined ? {} : { differs: why }
}

/** Somebody else's, only checked: it can't differ from what is wanted. */
export function given({ spec, needs }: Resource, object: string, live: Json): Present {
  const record = settled(spec)
  const recorded: Recorded = { hash: hashOf(record), spec: record, needs }
  return { kind: 'present', recorded, outputs: { object }, live, isGiven: true, spares: [] }
}

/** An external one that is not there: it is for its owner to make. */
export function missing({ ref, origin }: Resource, kind: string, name: string): Absent {
  const problem: ProblemFacts = {
    type: 'validation',
    code: 'not_found',
    ref,
    at: origin,
    message: `${kind} ${name} is external, and it is not there`,
    suggestion: `make it: docker ${kind} create ${name}`,
  }
  return { kind: 'absent', forecast: { kind: 'refused', problem } }
}

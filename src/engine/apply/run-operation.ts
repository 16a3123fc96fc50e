/** One operation: journal, call, retries, report. */
import type { Part } from '#model/event.ts'
import type { Operation } from '#model/plan.ts'
import { factsOf, Problem, problemOf } from '#model/problem.ts'
import { isSealed, mapValue, type Value } from '#model/value.ts'
import type { Standing } from './progress.ts'
import { retried } from './retry.ts'
import type { ApplyContext } from './apply-context.ts'

export async function runOperation(
  context: ApplyContext,
  standing: Standing,
  operation: Operation,
  part: Part,
): Promise<void> {
  const { target, clock, emit, limit, vault, calls, stop } = context
  const { ref } = standing.group
  const { id, words, command } = operation
  const said = { type: 'operation', ref, id, part, words, command } as const
  let began = 0
  let attempts = 0
  async function attempt(number: number): Promise<void> {
    attempts = number
    await limit(async () => {
      began = clock.now()
      if (number === 1) emit({ ...said, phase: 'began', attempt: number })
      await emit.kept()
      checkRight(context)
      const payload = withOutputs(operation.payload, context)
      const outputs = await target.operate(
        { ...operation, payload },
        {
          signal: calls,
          attempt: number,
          ...(context.lease === undefined ? {} : { generation: context.lease.generation }),
          report: (text) => emit({ type: 'progress', ref, text }),
          warn: (text) => emit({ type: 'warning', ref, text }),
          open: (secret) => vault.open(secret),
        },
      )
      standing.outputs = { ...standing.outputs, ...outputs }
    })
  }
  try {
    // Putting back goes on after Ctrl-C: only new work stops.
    await retried(attempt, clock, part === 'make' || part === 'prepare' ? stop : calls, (again) =>
      emit({
        ...said,
        phase: 'again',
        attempt: again.attempt,
        delay: again.delay,
        problem: factsOf(again.problem),
      }),
    )
  } catch (thrown) {
    const problem = problemOf(thrown, ref)
    const milliseconds = clock.now() - began
    const facts = factsOf(problem)
    emit({ ...said, phase: 'failed', attempt: attempts, milliseconds, problem: facts })
    throw problem
  }
  emit({ ...said, phase: 'done', attempt: attempts, milliseconds: clock.now() - began })
}

/** Checked last of all before each call: a process that was suspended may find that its lease is over and another process at work. */
function checkRight({ lease }: ApplyContext): void {
  if (lease === undefined || lease.isHeld()) return
  lease.lost.throwIfAborted()
  throw new Problem({
    type: 'runtime',
    code: 'held',
    message: 'the right to change this application was lost: the database did not answer in time',
  })
}

function withOutputs(payload: Value, { progress }: ApplyContext): Value {
  return mapValue(payload, (leaf) => {
    if (isSealed(leaf)) return leaf
    const known = progress.standings.get(leaf.from)?.outputs[leaf.output]
    if (known !== undefined) return known
    throw new Problem({
      type: 'runtime',
      code: 'bug',
      message: `${leaf.output} of ${leaf.from} is not known when it is needed`,
    })
  })
}

/** Goes back to an earlier run of an application of the service: by the service, which then leaves it so. */
import type { Invocation } from '../arguments/invocation.ts'
import { usageProblem } from '../arguments/usage.ts'
import type { Desk } from '../session.ts'
import { allowedBy, tellAnswer } from './ask-app.ts'
import { askIfKnown } from './ask-if-known.ts'

/** Undefined where it is not the service's. A preview is made here. */
export async function serviceRollback(
  { words, flags }: Invocation,
  desk: Desk,
): Promise<number | undefined> {
  if (flags.isDryRun) return undefined
  const [word = '', number] = words
  const run = number === undefined ? undefined : runOf(number)
  return askIfKnown(word, flags, desk, async (service, { key }) =>
    tellAnswer(await service.rollback(key, run, allowedBy(flags), desk.signal), true, desk),
  )
}

function runOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw usageProblem(
    `${JSON.stringify(text)} is not the number of a run`,
    'tend get runs NAME lists them',
  )
}

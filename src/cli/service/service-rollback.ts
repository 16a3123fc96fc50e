/** Rolls an application of the service back to an earlier run. The service does it, and then leaves the application so. */
import { isOfCluster } from '#kinds/all.ts'
import type { ServiceClient } from '#clients/service/client.ts'
import type { AppStatus } from '#model/service.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { usageProblem } from '../arguments/usage.ts'
import { tellDiff } from '../commands/diff.ts'
import type { CommandContext } from '../session.ts'
import { outcomeWords } from '../views/listing.ts'
import { allowedBy, tellAnswer } from './ask-app.ts'

/** A preview is made here where this machine can reach the target. A cluster is looked at by the service. */
export function serviceRollback(invocation: Invocation, context: CommandContext) {
  const { words, flags } = invocation
  return async (service: ServiceClient, app: AppStatus): Promise<number | undefined> => {
    const { key, application } = app
    if (flags.isDryRun && !isOfCluster(application)) return undefined
    const [, number] = words
    const run = number === undefined ? undefined : runOf(number)
    if (run !== undefined) await tellIfBad(service, key, run, context)
    if (flags.isDryRun) {
      const of = run === undefined ? 'the last good run before' : `run ${run}`
      const same = `Nothing would change: ${key} is as ${of} left it.`
      return tellDiff(
        app,
        await service.diff(key, context.signal, { run }),
        { same, of },
        invocation,
        context,
      )
    }
    const answer = await service.rollback(key, run, allowedBy(flags), context.signal)
    return tellAnswer(answer, true, context)
  }
}

async function tellIfBad(
  service: ServiceClient,
  key: string,
  number: number,
  { screen, signal }: CommandContext,
): Promise<void> {
  const run = (await service.runs(key, signal)).find((one) => one.number === number)
  if (run === undefined || run.outcome === 'succeeded') return
  screen.note(`Warning: run ${number} did not go well: ${outcomeWords(run)}`)
}

function runOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw usageProblem(
    `${JSON.stringify(text)} is not the number of a run`,
    'tend get runs NAME lists them',
  )
}

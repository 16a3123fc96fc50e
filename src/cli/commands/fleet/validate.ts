/** `tend fleet validate`: the checks of consistency, all from the database, and a request through each route. */
import type { Invocation } from '../../arguments/invocation.ts'
import { validate } from '../../fleet/validate.ts'
import { forReader } from '../../fleet/view.ts'
import type { CommandContext } from '../../session.ts'
import { checkLines } from './bootstrap.ts'

export async function fleetValidate(
  { flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { screen } = context
  const checks = await validate(flags, context)
  const failed = checks.filter(({ state }) => state === 'failed').length
  const summary = {
    passed: checks.length - failed,
    failed,
    checks: checks.map(({ name, state, message }) => {
      return { name, status: state === 'ok' ? 'passed' : 'failed', message }
    }),
  }
  if (screen.format === 'table') {
    const lines = [...checkLines(checks), `CONSISTENCY_SUMMARY=${JSON.stringify(summary)}`]
    screen.print(forReader(lines, screen, flags))
  } else await screen.document(summary)
  return failed === 0 ? 0 : 1
}

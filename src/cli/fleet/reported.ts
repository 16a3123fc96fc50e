/** `--report FILE` of verbs that make no run: what they print is also put at the end of that file. */
import { problemOf } from '#model/problem.ts'
import { exitCodeOfProblems } from '../exit-code.ts'
import type { Invocation } from '../arguments/invocation.ts'
import type { Command, CommandContext } from '../session.ts'
import { reportOf } from './report.ts'

/** Verbs that write their own report. */
const runs: readonly string[] = ['fleet reconcile', 'fleet regress', 'fleet clean']

export async function reported(
  command: Command,
  invocation: Invocation,
  context: CommandContext,
): Promise<number> {
  const { verb, flags } = invocation
  const file = flags.fleet.report
  if (file === undefined || runs.includes(verb)) return command(invocation, context)
  const lines: string[] = []
  function keep(more: readonly string[]): void {
    // a kubeconfig is a credential
    if (verb !== 'fleet kubeconfig') lines.push(...more)
  }
  const screen: CommandContext['screen'] = {
    ...context.screen,
    print(more) {
      keep(more)
      context.screen.print(more)
    },
    async document(content) {
      keep(JSON.stringify(content, null, 2).split('\n'))
      await context.screen.document(content)
    },
  }
  let code = 1
  try {
    code = await command(invocation, { ...context, screen })
    return code
  } catch (thrown) {
    const problem = problemOf(thrown)
    code = exitCodeOfProblems([problem])
    keep([problem.message])
    throw thrown
  } finally {
    reportOf(file, { verb, code, lines }, context)
  }
}

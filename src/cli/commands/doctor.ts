/** `tend doctor`: what is here, what works, what each missing thing costs, and the line that mends it. Changes nothing. */
import type { Invocation } from '../arguments/invocation.ts'
import { dockerFinding, podmanFinding } from '../doctor/engines.ts'
import type { Finding } from '../doctor/finding.ts'
import { cgroupsFinding, homeFinding, kubeconfigFinding } from '../doctor/machine.ts'
import { portFinding, systemdFinding } from '../doctor/machine.ts'
import { programFindings } from '../doctor/programs.ts'
import { readNote } from '../service/note.ts'
import type { CommandContext } from '../session.ts'
import { mark, type Paint } from '../views/paint.ts'

export async function doctor({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { session, screen, signal } = context
  const { environment, home } = session
  const engines = await Promise.all([
    podmanFinding(flags.target, signal),
    dockerFinding(flags.target, signal),
  ])
  const findings = [
    ...engines,
    homeFinding(home),
    ...programFindings(environment['PATH'] ?? ''),
    kubeconfigFinding(environment),
    systemdFinding(),
    cgroupsFinding(),
    await portFinding(readNote(home)?.url),
  ]
  const isUsable = engines.some(({ state }) => state === 'ok')
  const isBroken = findings.some(({ state }) => state === 'broken')
  if (screen.format !== 'table') await screen.document({ usable: isUsable, findings })
  else screen.print(findings.flatMap((one) => lines(one, screen.paint)))
  return isUsable && !isBroken ? 0 : 1
}

const marks = { ok: '✓', missing: '~', broken: '✗' } as const

function lines({ name, state, found, costs, mend }: Finding, paint: Paint): readonly string[] {
  return [
    `${mark(marks[state], paint)} ${name.padEnd(17)} ${found}`,
    ...(costs === undefined ? [] : [`    so: ${costs}`]),
    ...(mend === undefined ? [] : [`    mend it: ${mend}`]),
  ]
}

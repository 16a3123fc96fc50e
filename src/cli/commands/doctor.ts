/** `tend doctor`: what is here, what works, what each missing thing costs, and the line that mends it. Changes nothing. */
import { about } from '../about.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { clusterFinding } from '../doctor/cluster.ts'
import { dockerFindings, podmanFindings } from '../doctor/engines.ts'
import type { Finding } from '../doctor/finding.ts'
import { cgroupsFinding, homeFinding, portFinding, systemdFinding } from '../doctor/machine.ts'
import { programFindings } from '../doctor/programs.ts'
import { rootlessFindings, thisUser, type User } from '../doctor/rootless.ts'
import { readNote } from '../service/note.ts'
import type { CommandContext } from '../session.ts'
import { mark, type Paint } from '../views/paint.ts'

export async function doctor({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { session, screen, signal } = context
  const { environment, home } = session
  const user = thisUser()
  const [podman, docker, cluster] = await Promise.all([
    podmanFindings(flags.target, signal),
    dockerFindings(flags.target, signal),
    clusterFinding(signal),
  ])
  const findings = [
    ownFinding(user),
    ...podman,
    ...docker,
    ...rootlessFindings(user),
    homeFinding(home),
    ...programFindings(environment['PATH'] ?? ''),
    cluster,
    systemdFinding(),
    cgroupsFinding(),
    await portFinding(readNote(home)?.url),
  ]
  const isUsable = [podman[0], docker[0]].some((engine) => engine?.state === 'ok')
  const isBroken = findings.some(({ state }) => state === 'broken')
  if (screen.format !== 'table') await screen.document({ usable: isUsable, findings })
  else screen.print(findings.flatMap((one) => lines(one, screen.paint)))
  return isUsable && !isBroken ? 0 : 1
}

/** For whoever is sent this list. */
function ownFinding({ name, uid }: User): Finding {
  const { version, node, platform } = about().document
  const found = `${version} on Node ${node}, ${platform}, as ${name} (${uid})`
  return { name: 'Tend', state: 'ok', found }
}

const marks = { ok: '✓', missing: '~', broken: '✗' } as const

function lines({ name, state, found, costs, mend }: Finding, paint: Paint): readonly string[] {
  return [
    `${mark(marks[state], paint)} ${name.padEnd(17)} ${found}`,
    ...(costs === undefined ? [] : [`    so: ${costs}`]),
    ...(mend === undefined ? [] : [`    mend it: ${mend}`]),
  ]
}

/** `tend compose top`: the processes in the containers of a stack. */
import { topOf } from '#clients/docker/containers.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { aligned } from '../../compose/columns.ts'
import { ofServices, withProject } from '../../compose/project-containers.ts'
import type { CommandContext } from '../../session.ts'

const layout = { least: 4, padding: 2 }

export function composeTop({ words, flags }: Invocation, context: CommandContext): Promise<number> {
  return withProject(flags, context, async (project) => {
    const running = ofServices(project, words).filter(({ state }) => state === 'running')
    const rows: string[][] = []
    let titles: readonly string[] = []
    for (const { id, service, number, isOneOff } of running) {
      const told = await topOf(project.docker, id, context.signal)
      if (titles.length === 0) ({ titles } = told)
      const who = [service, isOneOff ? '' : String(number)]
      rows.push(...told.processes.map((process) => [...who, ...process]))
    }
    if (context.screen.format !== 'table') {
      await context.screen.document({ titles: ['SERVICE', '#', ...titles], processes: rows })
    } else if (rows.length > 0) {
      context.screen.print(aligned([['SERVICE', '#', ...titles], ...rows], layout))
    }
    return 0
  })
}

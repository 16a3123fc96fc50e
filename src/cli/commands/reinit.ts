/** `tend reinit`: puts everything back after a reboot, from what was applied last. */
import type { Invocation } from '../arguments/invocation.ts'
import { requestAgain } from '../chart/again.ts'
import { chosenCharts } from '../chart/installed.ts'
import { followRun } from '../chart/start.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { Desk } from '../session.ts'
import { runDocument } from '../views/document.ts'
import type { Story } from '../views/story.ts'
import { installUnit } from './reinit-unit.ts'

export async function reinit(invocation: Invocation, desk: Desk): Promise<number> {
  const { words, flags } = invocation
  const { session, screen, signal } = desk
  if (flags.installs || flags.prints) return installUnit(flags, desk)
  const memory = await session.memory()
  const records = await chosenCharts(words, flags.namespace, memory.store)
  const stories: Story[] = []
  for (const record of records) {
    if (signal.aborted) break
    const request = await requestAgain(record, 'reinit', flags, desk, memory)
    if (request === undefined) {
      screen.note(`Warning: nothing is kept of ${record.application.name} that could be applied`)
      continue
    }
    const heading = { doing: 'Putting back chart', subject: record.application.name }
    if (stories.length > 0 && screen.format === 'table') screen.print([''])
    stories.push(await followRun(request, heading, flags, desk, memory))
  }
  if (screen.format !== 'table') await screen.document({ charts: stories.map(runDocument) })
  else if (stories.length === 0) screen.print(['No charts are installed.'])
  return stories.reduce((worst, story) => Math.max(worst, exitCodeOf(story, false)), 0)
}

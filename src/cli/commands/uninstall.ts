/** `tend uninstall`: removes what a chart made; volumes only when told to. */
import { ownerOf } from '#model/application.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { applicationFor } from '../chart/installed.ts'
import { installedAs, notInstalled } from '../chart/locate.ts'
import { requestFor } from '../chart/request.ts'
import { startRun } from '../chart/start.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { Desk } from '../session.ts'

export async function uninstall({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const { session } = desk
  const memory = await session.memory()
  const [word = ''] = words
  const application = await applicationFor(word, flags.namespace, memory.store)
  const record = await installedAs(application.name, application.namespace, memory.store)
  if (record === undefined) {
    const { target } = await session.runtime(flags)
    const owner = ownerOf(session.instance, application)
    const quiet = { wanted: [], refresh: false, signal: desk.signal, report: () => undefined }
    const world = await target.observe({ owner, ...quiet })
    if (world.size === 0) throw await notInstalled(application.name, flags.namespace, memory.store)
  }
  const request = requestFor(application, flags, desk, {
    isUninstall: true,
    since: record?.since ?? session.clock.now(),
    revision: '',
    source: record?.source ?? null,
    render: () => {
      throw new TypeError('nothing is rendered when everything goes')
    },
  })
  const heading = { doing: 'Uninstalling chart', subject: word }
  const story = await startRun(request, heading, flags, desk, memory)
  return exitCodeOf(story, flags.hasExitCode)
}

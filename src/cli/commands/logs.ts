/** `tend logs`: what a container wrote; of a failed run, what was kept when it fell. */
import type { Application } from '#model/application.ts'
import { isRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { refOf, kindOf, nameOf } from '#model/ref.ts'
import type { Store } from '#model/store.ts'
import type { Value } from '#model/value.ts'
import { closest } from '../arguments/closest.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { applicationFor, findInstalled } from '../chart/installed.ts'
import { lastGood } from '../chart/past.ts'
import type { Desk } from '../session.ts'
import { harmless } from '../views/paint.ts'

export async function logs({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const [word = '', container = ''] = words
  const { session, screen, signal } = desk
  const store = (await session.memoryIfAny())?.store
  if (flags.run !== undefined) {
    const application = await applicationFor(word, flags.namespace, store)
    const lines = await keptLines(application, container, flags.run, store)
    await told(lines, desk)
    return 0
  }
  const { application } = await findInstalled(word, flags.namespace, store)
  const object = await objectOf(application, container, store)
  const runtime = await session.runtime(flags)
  const wanted = { tail: flags.tail, follows: flags.follows && screen.format === 'table' }
  const lines: string[] = []
  for await (const line of runtime.logs(object, wanted, signal)) {
    if (screen.format === 'table') screen.print([line])
    else lines.push(line)
  }
  if (screen.format !== 'table') await told(lines, desk)
  return 0
}

async function told(lines: readonly string[], { screen }: Desk): Promise<void> {
  if (screen.format === 'table') screen.print(lines.map(harmless))
  else await screen.document({ lines: [...lines] })
}

/** The name that it has in Podman stands in what was applied. */
async function objectOf(
  application: Application,
  container: string,
  store: Store | undefined,
): Promise<string> {
  const past = store && (await lastGood(application, store))
  const resources = past?.snapshot.resources ?? []
  const spec = resources.find(({ ref }) => ref === refOf('container', container))?.spec
  const object = isRecord<Value>(spec)
    ? Object.entries(spec).find(([field]) => field === 'object')?.[1]
    : undefined
  if (typeof object === 'string') return object
  const names = resources
    .filter(({ ref }) => kindOf(ref) === 'container')
    .map(({ ref }) => nameOf(ref))
  const meant = closest(container, names)
  throw new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `${application.name} has no container named ${JSON.stringify(container)}`,
    suggestion: meant === undefined ? `there are: ${names.join(', ')}` : `did you mean ${meant}?`,
  })
}

async function keptLines(
  application: Application,
  container: string,
  run: number,
  store: Store | undefined,
): Promise<readonly string[]> {
  const events = (await store?.events(application, run)) ?? []
  const ref = refOf('container', container)
  const details = events.flatMap((event) =>
    event.type === 'group' && event.ref === ref ? (event.problem?.details ?? []) : [],
  )
  if (details.length > 0) return details
  throw new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `run ${run} of ${application.name} kept no log of ${container}`,
    suggestion: `logs are kept of containers that failed; of one that runs: tend logs ${application.name} ${container}`,
  })
}

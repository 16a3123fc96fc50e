/** Asks a service by every route and every verb, and keeps what it said. */
import { everyChange, everyRoute } from './every-route.ts'
import type { Planted } from './planted.ts'
import type { Serving } from './serving.ts'

const verbs = [
  'status',
  'status -o json',
  'history',
  'diff',
  'plan',
  'logs',
  'suspend',
  'resume',
  'ack',
  'forget',
]
const general = [
  'list -o json',
  'get apps -o json',
  'get runs -o json',
  'get sources -o json',
  'audit -o json',
  'token list',
  'doctor',
  'status -v',
]

/** Every route that is read, and every verb beside a service. */
export async function asked(
  garden: Planted,
  serving: Serving,
  key: string,
  lines: readonly string[] = verbs,
): Promise<void> {
  const [kind = '', app = ''] = key.split(':')
  const [container, resource] = [`${app}-web-1`, 'container/web']
  const filled = { key, container, resource, path: app }
  for (const { path, text } of await everyRoute(serving, filled)) {
    garden.keep(path, text)
  }
  if (lines === verbs) {
    for (const { path, text } of await everyChange(serving, filled)) garden.keep(path, text)
  }
  for (const line of lines) {
    const [verb = '', ...rest] = line.split(' ')
    await told(garden, serving, [verb, `${kind}/${app}`, ...rest].join(' '))
  }
  if (lines !== verbs) return
  await told(garden, serving, `rollback ${kind}/${app} --yes`)
  for (const line of general) await told(garden, serving, line)
}

export async function told(garden: Planted, serving: Serving, line: string): Promise<void> {
  const { out, err } = await serving.tend(line)
  garden.keep(`tend ${line}`, out + err)
}

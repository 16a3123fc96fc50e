/** What an event of an engine may mean for an application: Docker's words, and Podman's for the same. */
import type { ContainerNews, News } from '#model/connection.ts'

type Event = {
  readonly type: string
  readonly action: string
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
}

export function whatIn(
  event: Pick<Event, 'type' | 'action'>,
): Extract<News, { kind: 'changed' }>['what'] {
  if (event.type === 'image') return 'image'
  return /^(create|destroy|remove|rename|update)$/.test(event.action) ? 'part' : undefined
}

const happenings: Readonly<Record<string, ContainerNews['happened']>> = {
  start: 'started',
  die: 'ended',
  died: 'ended',
  oom: 'out of memory',
  health_status: 'health checked',
}

export function containerNewsIn({
  type,
  action,
  id,
  attributes,
}: Event): ContainerNews | undefined {
  const happened = type === 'container' ? happenings[action.split(':')[0] ?? ''] : undefined
  if (happened === undefined) return undefined
  const code = Number(attributes['exitCode'] ?? attributes['containerExitCode'] ?? Number.NaN)
  const hasCode = happened === 'ended' && Number.isInteger(code)
  return { id, happened, ...(hasCode ? { exitCode: code } : {}) }
}

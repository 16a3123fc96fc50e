/** What an event of an engine may mean for an application that failed. */
import type { News } from '#model/connection.ts'

/** Of Docker's words and of Podman's. */
export function whatIn(event: {
  readonly type: string
  readonly action: string
}): Extract<News, { kind: 'changed' }>['what'] {
  if (event.type === 'image') return 'image'
  return /^(create|destroy|remove|rename|update)$/.test(event.action) ? 'part' : undefined
}

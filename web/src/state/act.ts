/** Presses a button of one or more applications. What comes of it is told by the events. */
import type { Json } from '#model/json.ts'
import { api } from '../api/client.ts'
import { troubleIn, type Trouble } from '../api/request.ts'
import { say } from './toasts.ts'

/** What was asked for, in words: `Sync of stack:web`. */
const words: Readonly<Record<string, string>> = {
  sync: 'Sync',
  suspend: 'Suspend',
  resume: 'Resume',
  acknowledge: 'Acknowledge',
  restart: 'Restart',
  rollback: 'Roll back',
  prune: 'Prune',
  forget: 'Forget',
  accept: 'Accept',
}

type Body = Readonly<Record<string, Json>>
type Refused = { readonly key: string; readonly trouble: Trouble }

export function actionWord(action: string): string {
  return words[action] ?? action
}

/** True: all of it could be asked for. */
export async function act(keys: readonly string[], action: string, body?: Body): Promise<boolean> {
  const asked = keys.map((key) => ({ key, body }))
  return tell(asked, actionWord(action), await press(asked, action))
}

/**
 * Runs what somebody saw the plan of, and nothing else. Gives those whose source has moved on since: they were not run, and who pressed it
 * has to look again.
 */
export async function syncAsPlanned(
  asked: readonly { readonly key: string; readonly body: Body }[],
  word = 'Sync',
): Promise<readonly string[]> {
  const refused = await press(asked, 'sync')
  const isNewer = ({ trouble: { code } }: Refused) => code === 'conflict'
  const moved = refused.filter(isNewer).map(({ key }) => key)
  const others = asked.filter(({ key }) => !moved.includes(key))
  tell(
    others,
    word,
    refused.filter((one) => !isNewer(one)),
  )
  return moved
}

async function press(
  asked: readonly { readonly key: string; readonly body?: Body | undefined }[],
  action: string,
): Promise<readonly Refused[]> {
  const ended = await Promise.allSettled(asked.map(({ key, body }) => api.act(key, action, body)))
  return ended.flatMap((one, index) =>
    one.status === 'rejected'
      ? [{ key: asked[index]?.key ?? '', trouble: troubleIn(one.reason) }]
      : [],
  )
}

function tell(
  asked: readonly { readonly key: string }[],
  word: string,
  refused: readonly Refused[],
): boolean {
  const [first] = refused
  if (first !== undefined) {
    const more = refused.length > 1 ? ` (and ${refused.length - 1} more)` : ''
    say('bad', `${word}: ${first.key}: ${first.trouble.detail}${more}`, first.trouble.suggestion)
  }
  const done = asked.filter(({ key }) => refused.every((one) => one.key !== key))
  const [only] = done
  if (only !== undefined) {
    say('good', `${word}: ${done.length === 1 ? only.key : `${done.length} applications`}`)
  }
  return refused.length === 0
}

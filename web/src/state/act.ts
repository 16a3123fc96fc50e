/** Presses a button of one or more applications. What comes of it is told by the events. */
import type { Json } from '#model/json.ts'
import { api } from '../api/client.ts'
import { troubleIn } from '../api/request.ts'
import { say } from './toasts.ts'

/** What was asked for, in words: `Sync of stack:web`. */
const words: Readonly<Record<string, string>> = {
  sync: 'Sync',
  suspend: 'Suspend',
  resume: 'Resume',
  acknowledge: 'Acknowledge',
  adopt: 'Adopt',
  restart: 'Restart',
  rollback: 'Roll back',
  prune: 'Prune',
  forget: 'Forget',
  accept: 'Accept',
}

export function actionWord(action: string): string {
  return words[action] ?? action
}

export async function act(
  keys: readonly string[],
  action: string,
  body?: Readonly<Record<string, Json>>,
): Promise<boolean> {
  const ended = await Promise.allSettled(keys.map((key) => api.act(key, action, body)))
  const failed = ended.flatMap((one, index) =>
    one.status === 'rejected' ? [{ key: keys[index] ?? '', trouble: troubleIn(one.reason) }] : [],
  )
  const [first] = failed
  const word = actionWord(action)
  if (first !== undefined) {
    const more = failed.length > 1 ? ` (and ${failed.length - 1} more)` : ''
    say('bad', `${word}: ${first.key}: ${first.trouble.detail}${more}`, first.trouble.suggestion)
  }
  const done = keys.length - failed.length
  if (done > 0)
    say(
      'good',
      `${word}: ${done === 1 ? keys.find((key) => failed.every((one) => one.key !== key)) : `${done} applications`}`,
    )
  return failed.length === 0
}

/** Presses a button of one or more applications. What comes of it is told by the events. */
import type { Json } from '#model/json.ts'
import { api } from '../api/client.ts'
import { troubleIn, type Trouble } from '../api/request.ts'
import { sentence } from '../parts/sentence.ts'
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
export type Refused = { readonly key: string; readonly trouble: Trouble }

export function actionWord(action: string): string {
  return words[action] ?? action
}

/** True: all of it could be asked for. */
export async function act(keys: readonly string[], action: string, body?: Body): Promise<boolean> {
  const asked = keys.map((key) => ({ key, body }))
  return tell(asked, actionWord(action), await press(asked, action))
}

/**
 * Runs what somebody saw the plan of, and nothing else. `moved`: what is no longer as it was planned, with the service's words: they were
 * not run, and who pressed it has to look again. What failed otherwise is told here.
 */
export async function syncAsPlanned(
  asked: readonly { readonly key: string; readonly body: Body }[],
  word = 'Sync',
): Promise<{ readonly moved: readonly Refused[]; readonly failed: readonly Refused[] }> {
  const refused = await press(asked, 'sync')
  const moved = refused.filter(({ trouble }) => trouble.code === 'conflict')
  const failed = refused.filter((one) => !moved.includes(one))
  const others = asked.filter(({ key }) => moved.every((one) => one.key !== key))
  tell(others, word, failed)
  return { moved, failed }
}

/** What the service said of them, each once. */
export function wordsOf(refused: readonly Refused[]): readonly string[] {
  return [...new Set(refused.map(({ trouble }) => sentence(trouble.detail)))]
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

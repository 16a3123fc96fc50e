/** Restarts a container by the door that runs use: what it binds is looked at on the disk before it is started again. */
import type { RestartWish } from '#model/connection.ts'
import type { Target } from '#model/domain.ts'

export async function restartThrough(
  target: Target,
  name: string,
  wish: RestartWish,
): Promise<void> {
  const operation = {
    id: 'restart',
    verb: 'container.restart',
    payload: { name },
    after: [],
    words: `Restarting container ${name}`,
    disrupts: true,
  }
  const { signal } = wish
  const warn = (text: string): void => wish.warn(text)
  await target.operate(operation, { signal, attempt: 1, report() {}, warn, open: noSecrets })
}

function noSecrets(): never {
  throw new TypeError('a restart opens no secrets')
}

/** Restarts a container through the same operation that runs use, so that its binds are checked on the disk before it is started again. */
import type { RestartRequest, SeenContainer } from '#model/connection.ts'
import type { Target } from '#model/domain.ts'

export async function restartThrough(
  target: Target,
  { id, name }: Pick<SeenContainer, 'id' | 'name'>,
  request: RestartRequest,
): Promise<void> {
  const operation = {
    id: 'restart',
    verb: 'container.restart',
    payload: { name: id, called: name },
    after: [],
    words: `Restarting container ${name}`,
    disrupts: true,
  }
  const { signal } = request
  const warn = (text: string): void => request.warn(text)
  await target.operate(operation, { signal, attempt: 1, report() {}, warn, open: noSecrets })
}

function noSecrets(): never {
  throw new TypeError('a restart opens no secrets')
}

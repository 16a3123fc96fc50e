/** What one container of an application writes. */
import { defined } from '#model/defined.ts'
import { Problem } from '#model/problem.ts'
import type { AppState } from '../state/app-state.ts'

/** Only of its own containers: a name is no way into those of others. */
export async function* logsOf(
  { monitor, owner, key }: AppState,
  container: string,
  wanted: { readonly tail: number | undefined; readonly follows: boolean },
  signal: AbortSignal,
): AsyncIterable<string> {
  const connection = defined(monitor).connection()
  const own = (await connection.containers?.(owner, signal)) ?? []
  // last as reasons and plans call it: `web-1`
  const found =
    own.find(({ id, name }) => id === container || name === container) ??
    own.find(({ service }) => service === container) ??
    own.find(({ name }) => name.endsWith(`-${container}`))
  if (found === undefined) {
    const names = own.map(({ name }) => name).join(', ')
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `${key} has no container ${JSON.stringify(container)}`,
      suggestion: names === '' ? 'it has none at all' : `there are: ${names}`,
    })
  }
  yield* connection.logs?.(found.name, { ...wanted, owner }, signal) ?? []
}

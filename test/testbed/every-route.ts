/** Everything that the service's own description of its API says can be read, asked for one application. */
import { isRecord } from '#model/json.ts'
import type { Serving } from './serving.ts'

export type Filled = {
  /** `stack:web`. */
  readonly key: string
  readonly container: string
  /** `container/web`. */
  readonly resource: string
  readonly path: string
}

export type Answered = { readonly path: string; readonly text: string }

/** All but the login, which leads to another machine. */
export async function everyRoute(serving: Serving, filled: Filled): Promise<readonly Answered[]> {
  const document: unknown = await (await serving.api('/api/openapi.json')).json()
  const paths = isRecord(document) && isRecord(document['paths']) ? document['paths'] : {}
  const answers: Answered[] = []
  for (const [path, methods] of Object.entries(paths)) {
    if (!isRecord(methods) || methods['get'] === undefined || path.includes('login')) continue
    const whole = path
      .replace('{key}', encodeURIComponent(filled.key))
      .replace('{run}', '1')
      .replace('{container}', filled.container)
      .replace('{ref}', encodeURIComponent(filled.resource))
      .replace(/\{path\*?\}/, filled.path)
    const answer = await serving.api(whole)
    if (/event-stream/.test(answer.headers.get('content-type') ?? '')) {
      const reader = answer.body?.getReader()
      const { value } = (await reader?.read()) ?? {}
      await reader?.cancel()
      answers.push({ path, text: Buffer.from(value ?? []).toString() })
    } else answers.push({ path, text: await answer.text() })
  }
  return answers
}

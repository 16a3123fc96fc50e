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
  const answers: Answered[] = []
  for (const { method, path } of await routesOf(serving)) {
    if (method === 'get') answers.push(await answered(serving, filled, method, path))
  }
  return answers
}

/**
 * Everything that changes something, with nothing said and with a body that can't be read. What was suspended is resumed: the last
 * of the routes of an application.
 */
export async function everyChange(serving: Serving, filled: Filled): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  const changes = (await routesOf(serving)).filter(({ method }) => method !== 'get')
  const last = changes.filter(({ path }) => path.endsWith('/resume'))
  for (const { method, path } of [...changes, ...last]) {
    for (const body of ['{"unknown": [', '{}']) {
      answers.push(await answered(serving, filled, method, path, body))
    }
  }
  return answers
}

async function routesOf(serving: Serving) {
  const document: unknown = await (await serving.api('/api/openapi.json')).json()
  const paths = isRecord(document) && isRecord(document['paths']) ? document['paths'] : {}
  return Object.entries(paths).flatMap(([path, methods]) => {
    if (!isRecord(methods) || /login|session/.test(path)) return []
    return Object.keys(methods).map((method) => ({ method, path }))
  })
}

async function answered(
  serving: Serving,
  filled: Filled,
  method: string,
  path: string,
  body?: string,
): Promise<Answered> {
  const whole = path
    .replace('{key}', encodeURIComponent(filled.key))
    .replace('{run}', '1')
    .replace('{container}', filled.container)
    .replace('{ref}', encodeURIComponent(filled.resource))
    .replace(/\{path\*?\}/, filled.path)
    .replaceAll(/\{\w+\}/g, 'none')
  const said = `${method.toUpperCase()} ${path}`
  const options = { method: method.toUpperCase(), ...(body === undefined ? {} : { body }) }
  const answer = await serving.api(whole, options)
  if (!/event-stream/.test(answer.headers.get('content-type') ?? '')) {
    const text = await answer.text().catch((cause: unknown) => {
      throw new Error(`${said} was cut off:\n${serving.log().slice(-3_000)}`, { cause })
    })
    return { path: said, text }
  }
  const reader = answer.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return { path: said, text: Buffer.from(value ?? []).toString() }
}

/** Which fields a kind has at a place, as the server describes it. It is asked only to suggest what a misspelt field was meant to be. */
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Kubernetes } from './client.ts'
import type { ApiKind } from './discovery.ts'

/** Answers by client, kind and path; the descriptions themselves are too large to keep. */
const known = new WeakMap<Kubernetes, Map<string, readonly string[]>>()

/** Empty where nobody knows. `path` holds names of fields, without the places in lists. */
export async function fieldsAt(
  kubernetes: Kubernetes,
  kind: ApiKind,
  path: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names = known.get(kubernetes) ?? new Map<string, readonly string[]>()
  known.set(kubernetes, names)
  const key = [kind.apiVersion, kind.kind, ...path].join(' ')
  const before = names.get(key)
  if (before !== undefined) return before
  // only the suggestion is lost
  const found = await asked(kubernetes, kind, path, signal).catch(() => undefined)
  if (found !== undefined) names.set(key, found)
  return found ?? []
}

async function asked(
  kubernetes: Kubernetes,
  { group, version, kind }: ApiKind,
  path: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const doing = 'could not ask which fields there are'
  const within = group === '' ? `api/${version}` : `apis/${group}/${version}`
  const { body } = await kubernetes.ask('GET', `/openapi/v3/${within}`, { signal, doing })
  const schemas = recordOf(recordOf(recordOf(body)['components'])['schemas'])
  const root = Object.values(schemas)
    .map(recordOf)
    .find((schema) => isOf(schema, group, version, kind))
  let here = root
  for (const name of path) here = stepInto(schemas, here, name)
  return Object.keys(recordOf(inside(schemas, here)['properties']))
}

function isOf(schema: JsonRecord, group: string, version: string, kind: string): boolean {
  return recordsOf(schema['x-kubernetes-group-version-kind']).some(
    (one) => one['group'] === group && one['version'] === version && one['kind'] === kind,
  )
}

function stepInto(schemas: JsonRecord, from: JsonRecord | undefined, name: string): JsonRecord {
  const here = inside(schemas, from)
  const field = recordOf(here['properties'])[name] ?? here['additionalProperties']
  return recordOf(field)
}

/** Follows a reference, and goes into the items of a list. */
function inside(schemas: JsonRecord, schema: JsonRecord | undefined): JsonRecord {
  let here = schema ?? {}
  for (let depth = 0; depth < 5; depth++) {
    const reference: Json | undefined = here['$ref'] ?? recordsOf(here['allOf'])[0]?.['$ref']
    const items = here['items']
    if (reference !== undefined) {
      here = recordOf(schemas[textOf(reference).split('/').at(-1) ?? ''])
    } else if (items !== undefined) here = recordOf(items)
    else return here
  }
  return here
}

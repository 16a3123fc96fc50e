/** One resource: as it is declared, as it runs, and each field that differs with the place that declares it. */
import { mask } from '#model/secret-shapes.ts'
import type { ResourceDetail } from '#model/api.ts'
import { isList, isRecord, type Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Observed, Resource } from '#model/resource.ts'
import { isDigest, isSealed, mapValue, settled, type Value } from '#model/value.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { AppState } from '../state/app-state.ts'
import { lookedAt } from './looked.ts'
import { containersOf } from './made-by.ts'
import { originsOf, type Blames, type Origins } from './origins.ts'

/** What happened to it is added by who knows the time-line. */
type ResourceFacts = Omit<ResourceDetail, 'events'>

export async function resourceDetail(
  service: ServiceState,
  app: AppState,
  ref: Ref,
  blames: Blames,
  signal: AbortSignal,
): Promise<ResourceFacts> {
  const { rendered, resources, seen } = await lookedAt(service, app, signal, true)
  const status = resources.find((one) => one.ref === ref)
  if (status === undefined) throw noSuchResource(app, ref)
  const wanted = rendered.resources.find((one) => one.ref === ref)
  const origins = originsOf(blames, app)
  const origin = wanted && (await origins.of(wanted.origin))
  const fields = await Promise.all(
    status.sync.changes.map(async (change) => {
      const at = wanted && (await origins.of(wanted.origin, change.path))
      return { ...change, ...(at === undefined ? {} : { origin: at }) }
    }),
  )
  const running = runningOf(seen?.world.get(ref))
  return {
    ...status,
    ...(wanted === undefined ? {} : { declared: declaredOf(wanted.spec) }),
    ...(running === undefined ? {} : { running }),
    ...(origin === undefined ? {} : { origin }),
    lines: wanted === undefined ? [] : await linesOf(origins, wanted),
    fields,
    needs: (wanted?.needs ?? []).map((need) => need.ref),
    neededBy: rendered.resources
      .filter(({ needs }) => needs.some((need) => need.ref === ref))
      .map((one) => one.ref),
    containers: await containersOf(app, ref, signal),
  }
}

/** More fields than this are not looked for: a config map may have thousands. */
const mostLines = 200

/** What has no line of its own was not written there: a default, or a template's work. */
async function linesOf(
  origins: Origins,
  { spec, origin }: Resource,
): Promise<ResourceDetail['lines']> {
  const leaves = [...leavesOf(declaredOf(spec), '')].slice(0, mostLines)
  const found = await Promise.all(
    leaves.map(async ([path, value]) => ({ path, value, origin: await origins.of(origin, path) })),
  )
  const own = found.flatMap((one) =>
    one.origin === undefined || one.origin.line === origin.line
      ? []
      : [{ ...one, origin: one.origin }],
  )
  return own.toSorted((one, other) => one.origin.line - other.origin.line)
}

function* leavesOf(value: Json, path: string): Generator<readonly [string, Json]> {
  if (isList<Json>(value)) {
    for (const [index, item] of value.entries()) yield* leavesOf(item, `${path}[${index}]`)
  } else if (isRecord<Json>(value)) {
    for (const [name, item] of Object.entries(value)) {
      yield* leavesOf(item, path === '' ? name : `${path}.${name}`)
    }
  } else if (value !== null && path !== '') yield [path, value]
}

function declaredOf(spec: Value): Json {
  return settled(mapValue(spec, (leaf) => (isSealed(leaf) ? mask : '(known after apply)')))
}

/** As it was recorded when it was last changed; where a target keeps no record, as it is. */
function runningOf(seen: Observed | undefined): Json | undefined {
  if (seen?.kind !== 'present') return undefined
  return withoutDigests(seen.recorded?.spec ?? seen.live)
}

function withoutDigests(value: Json): Json {
  if (isDigest(value)) return mask
  if (isList<Json>(value)) return value.map(withoutDigests)
  if (!isRecord<Json>(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutDigests(one)]))
}

function noSuchResource({ key }: AppState, ref: Ref): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `${key} has no resource ${JSON.stringify(ref)}`,
    suggestion: '/api/v1/apps/{key}/resources lists them',
  })
}

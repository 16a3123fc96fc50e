/** Keys that `up` passes over, here as in Compose: each is a warning. */
import { recordOf, recordsOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { isSet, passedOver, type Finding } from './finding.ts'
import { placeAt, servicesOf, type Path, type Stage } from './stage.ts'

export function effectless(stage: Stage): readonly Finding[] {
  const ofServices = servicesOf(stage).flatMap(([name, service]) =>
    [...wishesOf(service)].map((path) =>
      passedOver(
        ['services', name, ...path],
        path.filter((word) => typeof word === 'string').join('.'),
      ),
    ),
  )
  return [...ofServices, ...unread(stage), ...ofFiles(stage)]
}

/** Compose knows the key and leaves it out of the model. */
function unread(stage: Stage): readonly Finding[] {
  const key = 'pull_refresh_after'
  return servicesOf(stage).flatMap(([name]) => {
    const path = ['services', name, key]
    // what was not written has the place of what it would belong to
    const [own, above] = [placeAt(stage, path), placeAt(stage, path.slice(0, -1))]
    const isWritten = own.line !== above.line || own.column !== above.column
    return isWritten ? [passedOver(path, key)] : []
  })
}

/** Parts of a service to those of their keys that count for nothing. */
const ofService = ['develop', 'cpu_count', 'cpu_percent']
const ofDeploy = ['mode', 'endpoint_mode', 'placement', 'rollback_config', 'labels']
const ofUpdates = ['delay', 'failure_action', 'max_failure_ratio', 'monitor', 'parallelism']

function* wishesOf(service: JsonRecord): Iterable<Path> {
  const deploy = recordOf(service['deploy'])
  const reservations = recordOf(recordOf(deploy['resources'])['reservations'])
  yield* set(service, ofService)
  yield* set(deploy, ofDeploy, ['deploy'])
  yield* set(recordOf(deploy['update_config']), ofUpdates, ['deploy', 'update_config'])
  yield* set(recordOf(deploy['restart_policy']), ['delay', 'window'], ['deploy', 'restart_policy'])
  const reserved = ['deploy', 'resources', 'reservations']
  yield* set(reservations, ['cpus', 'generic_resources'], reserved)
  for (const [index, volume] of recordsOf(service['volumes']).entries()) {
    yield* set(volume, ['consistency'], ['volumes', index])
  }
  for (const [index, port] of recordsOf(service['ports']).entries()) {
    const { mode, ...rest } = port
    // what Compose itself fills in
    yield* set({ ...rest, mode: mode === 'ingress' ? '' : (mode ?? '') }, ofPorts, ['ports', index])
  }
}

const ofPorts = ['name', 'app_protocol', 'mode']

function set(record: JsonRecord, keys: readonly string[], path: Path = []): readonly Path[] {
  return keys.flatMap((key) => (isSet(record[key]) ? [[...path, key]] : []))
}

/** Of configs and secrets only the content counts: there is no object that could carry the rest. */
function ofFiles({ model }: Stage): readonly Finding[] {
  return (['configs', 'secrets'] as const).flatMap((kind) =>
    Object.entries(recordOf(model[kind])).flatMap(([name, item]) => {
      if (recordOf(item)['external'] === true || isSet(recordOf(item)['driver'])) return []
      const paths = set(recordOf(item), ['labels', 'driver_opts'], [kind, name])
      return paths.map((path) => passedOver(path, path.join('.')))
    }),
  )
}

/** Keys that `up` passes over, here as in Compose: each is a warning. */
import type { Service } from '#formats/compose/schema/file.ts'
import type { Json } from '#model/json.ts'
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

/** Of each part of a service those keys that count for nothing. */
function* wishesOf(service: Service): Iterable<Path> {
  const { deploy, volumes = [], ports = [] } = service
  const { cpu_count, cpu_percent } = service
  yield* setIn([], { cpu_count, cpu_percent })
  if (deploy !== undefined) yield* ofDeploy(deploy)
  for (const [index, { consistency }] of volumes.entries()) {
    yield* setIn(['volumes', index], { consistency })
  }
  for (const [index, { name, app_protocol, mode }] of ports.entries()) {
    // what Compose itself fills in
    const own = mode === 'ingress' ? '' : mode
    yield* setIn(['ports', index], { name, app_protocol, mode: own })
  }
}

function* ofDeploy(deploy: NonNullable<Service['deploy']>): Iterable<Path> {
  const { mode, endpoint_mode, placement, rollback_config, labels } = deploy
  yield* setIn(['deploy'], { mode, endpoint_mode, placement, rollback_config, labels })
  const { delay, failure_action, max_failure_ratio, monitor, parallelism } =
    deploy.update_config ?? {}
  const updates = { delay, failure_action, max_failure_ratio, monitor, parallelism }
  yield* setIn(['deploy', 'update_config'], updates)
  const { delay: pause, window } = deploy.restart_policy ?? {}
  yield* setIn(['deploy', 'restart_policy'], { delay: pause, window })
  const { cpus, generic_resources } = deploy.resources.reservations ?? {}
  yield* setIn(['deploy', 'resources', 'reservations'], { cpus, generic_resources })
}

/** Paths of those that are set. */
function setIn(path: Path, fields: Readonly<Record<string, Json | undefined>>): readonly Path[] {
  return Object.entries(fields).flatMap(([key, value]) => (isSet(value) ? [[...path, key]] : []))
}

/** Of configs and secrets only the content counts: there is no object that could carry the rest. */
function ofFiles({ model }: Stage): readonly Finding[] {
  return (['configs', 'secrets'] as const).flatMap((kind) =>
    Object.entries(model[kind]).flatMap(([name, { external, driver, labels, driver_opts }]) => {
      if (external === true || isSet(driver)) return []
      const paths = setIn([kind, name], { labels, driver_opts })
      return paths.map((path) => passedOver(path, path.join('.')))
    }),
  )
}

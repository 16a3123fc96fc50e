/** What the mounts of a service reach: paths of the host, volumes of others, volumes that are mounts in disguise. */
import type { Project } from '#formats/compose/project.ts'
import type { Mount, Service } from '#formats/compose/schema/file.ts'
import { asksOfMemory, asksOfVolume } from '#model/policy-volumes.ts'
import { isPlainName } from '#model/engine-option-rules.ts'
import { asksOfPath, type Ask } from '#model/policy.ts'
import type { PlacedAsk } from './policy-ask.ts'
import { ownContainers } from './policy-networks.ts'
import { byName, type Stage } from './stage.ts'

export function* mountAsks(stage: Stage, service: Service): Iterable<PlacedAsk> {
  for (const [index, volume] of (service.volumes ?? []).entries()) {
    const path = ['volumes', index]
    for (const ask of asksOfMount(stage, volume)) yield { ...ask, path }
  }
  for (const [index, text] of (service.tmpfs ?? []).entries()) {
    for (const ask of asksOfMemory(text)) yield { ...ask, path: ['tmpfs', index] }
  }
  for (const [index, from] of (service.volumes_from ?? []).entries()) {
    const [, name] = /^container:([^:]*)/.exec(from) ?? []
    if (name === undefined || ownContainers(stage).has(name)) continue
    const what = `volumes of container:${name}`
    const path = ['volumes_from', index]
    yield { rule: 'outsideBinds', path, what, share: `container/${name}` }
  }
}

function asksOfMount({ input, root, model }: Stage, volume: Mount): readonly Ask[] {
  const roots = [root, ...input.policy.allowedRoots]
  const { type, source = '', bind = {} } = volume
  if (type === 'bind') {
    return [...asksOfPath(source, roots), ...asksOfPropagation(bind.propagation ?? '')]
  }
  if (type !== 'volume' || source === '') return []
  const {
    driver = '',
    driver_opts: options = {},
    external,
    name,
  } = byName(model.volumes, source) ?? {}
  const object = name || source
  // to an engine a name that begins with a slash is a path of the host
  if (!isPlainName(object)) return [{ rule: 'outsideBinds', what: `a volume named ${object}` }]
  if (external === true && !ownVolumes(model).has(object)) {
    const what = `the external volume ${object}`
    return [{ rule: 'externalVolumes', what, share: `volume/${object}` }]
  }
  return asksOfVolume(driver, options, roots)
}

/** Mounts that are shared with the host go both ways. */
function asksOfPropagation(propagation: string): readonly Ask[] {
  if (['', 'private', 'rprivate'].includes(propagation)) return []
  return [{ rule: 'outsideBinds', what: `bind.propagation ${propagation}` }]
}

/** Only names that begin with the project's: that a file gives its volume the name of another one does not make it its own. */
function ownVolumes(model: Project): ReadonlySet<string> {
  const own = Object.entries(model.volumes).filter(
    ([key, { name, external }]) => external !== true && name === `${model.name}_${key}`,
  )
  return new Set(own.map(([, { name = '' }]) => name))
}

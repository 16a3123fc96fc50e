/** What the mounts of a service reach: paths of the host, volumes of others, volumes that are mounts in disguise. */
import { recordOf, recordsOf, textMapOf, textOf, textsOf } from '#clients/http/read.ts'
import { asksOfVolume } from '#model/policy-volumes.ts'
import { isPlainName } from '#model/policy-words.ts'
import { asksOfPath, type Ask } from '#model/policy.ts'
import type { JsonRecord } from '#model/json.ts'
import type { PlacedAsk } from './policy-ask.ts'
import { ownContainers } from './policy-networks.ts'
import type { Stage } from './stage.ts'

export function* mountAsks(stage: Stage, service: JsonRecord): Iterable<PlacedAsk> {
  for (const [index, volume] of recordsOf(service['volumes']).entries()) {
    const path = ['volumes', index]
    for (const ask of asksOfMount(stage, volume)) yield { ...ask, path }
  }
  for (const [index, from] of textsOf(service['volumes_from']).entries()) {
    const [, name] = /^container:([^:]*)/.exec(from) ?? []
    if (name === undefined || ownContainers(stage).has(name)) continue
    const what = `volumes of container:${name}`
    const path = ['volumes_from', index]
    yield { rule: 'outsideBinds', path, what, share: `container/${name}` }
  }
}

function asksOfMount({ input, root, model }: Stage, volume: JsonRecord): readonly Ask[] {
  const roots = [root, ...input.policy.allowedRoots]
  const source = textOf(volume['source'])
  if (volume['type'] === 'bind') {
    const { propagation } = recordOf(volume['bind'])
    return [...asksOfPath(source, roots), ...asksOfPropagation(textOf(propagation))]
  }
  if (volume['type'] !== 'volume' || source === '') return []
  const volumes = recordOf(model['volumes'])
  const { driver, driver_opts: options, external, name } = recordOf(volumes[source])
  const object = textOf(name) || source
  // to an engine a name that begins with a slash is a path of the host
  if (!isPlainName(object)) return [{ rule: 'outsideBinds', what: `a volume named ${object}` }]
  if (external === true && !ownVolumes(model).has(object)) {
    const what = `the external volume ${object}`
    return [{ rule: 'externalVolumes', what, share: `volume/${object}` }]
  }
  return asksOfVolume(textOf(driver), textMapOf(options), roots)
}

/** Mounts that are shared with the host go both ways. */
function asksOfPropagation(propagation: string): readonly Ask[] {
  if (['', 'private', 'rprivate'].includes(propagation)) return []
  return [{ rule: 'outsideBinds', what: `bind.propagation ${propagation}` }]
}

function ownVolumes(model: JsonRecord): ReadonlySet<string> {
  const own = Object.values(recordOf(model['volumes'])).map(recordOf)
  return new Set(own.filter(({ external }) => external !== true).map(({ name }) => textOf(name)))
}

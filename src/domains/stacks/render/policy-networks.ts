/** What a service reaches through namespaces and networks that are not its application's own. */
import type { Service } from '#formats/compose/schema/file.ts'
import { asksOfNetwork, isPlainName } from '#model/engine-option-rules.ts'
import { countOf } from './replicas.ts'
import type { PlacedAsk } from './policy-ask.ts'
import { byName, servicesOf, type Stage } from './stage.ts'

const ofHost = /^(host$|ns:)/

/** Modes that stay inside, by key. `service:NAME` is another container of the same application. */
const inside = [
  ['network_mode', /^(|none|bridge|default|private|service:.*)$/],
  ['pid', /^(|private|service:.*)$/],
  ['ipc', /^(|private|shareable|none|service:.*)$/],
  ['uts', /^(|private|service:.*)$/],
  ['userns_mode', /^(|private|nomap|auto|keep-id)$/],
  ['cgroup', /^(|private)$/],
] as const

export function* networkAsks(stage: Stage, service: Service): Iterable<PlacedAsk> {
  for (const [key, isInside] of inside) {
    const mode = service[key] ?? ''
    if (!isInside.test(mode)) yield* modeAsk(stage, key, mode)
  }
  for (const key of Object.keys(service.networks ?? {})) {
    const { name = '' } = byName(stage.model.networks, key) ?? {}
    const path = ['networks', key]
    if (ofHost.test(name)) yield { rule: 'hostNamespaces', path, what: `network ${name}` }
  }
  const build = service.build?.network ?? ''
  if (!['', 'none', 'default'].includes(build)) {
    const isOfHost = ofHost.test(build) || build.startsWith('container:')
    yield {
      rule: isOfHost ? 'hostNamespaces' : 'externalNetworks',
      path: ['build', 'network'],
      what: `build.network: ${build}`,
    }
  }
  for (const [index, link] of (service.external_links ?? []).entries()) {
    const [name = ''] = link.split(':')
    if (ownContainers(stage).has(name)) continue
    const path = ['external_links', index]
    yield { rule: 'externalNetworks', path, what: `a link to ${name}`, share: `container/${name}` }
  }
}

function* modeAsk(stage: Stage, key: string, mode: string): Iterable<PlacedAsk> {
  const rule = 'hostNamespaces'
  const what = `${key}: ${mode}`
  const [, container] = /^container:(.*)$/s.exec(mode) ?? []
  if (container !== undefined) {
    if (ownContainers(stage).has(container)) return
    yield { rule, path: [key], what, share: `container/${container}` }
  } else if (key === 'network_mode' && isPlainName(mode) && !ofHost.test(mode)) {
    if (ownNetworks(stage).has(mode)) return
    yield { rule: 'externalNetworks', path: [key], what, share: `network/${mode}` }
  } else yield { rule, path: [key], what }
}

/** Of the file's own section. */
export function* networksAsks(stage: Stage): Iterable<PlacedAsk> {
  for (const [key, network] of Object.entries(stage.model.networks)) {
    const { name: object = '', external, driver = '', driver_opts: options = {}, ipam } = network
    const path = ['networks', key]
    // one of the host is told by whoever joins it
    if (ofHost.test(object)) continue
    const isOwn = external !== true && isPlainName(object)
    if (!isOwn && !ownNetworks(stage).has(object)) {
      const what =
        external === true ? `the external network ${object}` : `a network named ${object}`
      yield { rule: 'externalNetworks', path, what, share: `network/${object}` }
    }
    const pools = (ipam.config ?? []).map(({ subnet = '' }) => subnet)
    const subnets = pools.filter((subnet) => subnet !== '')
    for (const ask of asksOfNetwork(driver, options, subnets, ipam.driver ?? '')) {
      yield { ...ask, path }
    }
  }
}

/** Only names that begin with the project's: that a file gives its network the name of another one does not make it its own. */
function ownNetworks({ model, project }: Stage): ReadonlySet<string> {
  const own = Object.entries(model.networks).filter(
    ([key, { name, external }]) => external !== true && name === `${project}_${key}`,
  )
  return new Set(own.map(([, { name = '' }]) => name).filter(isPlainName))
}

/** The names that containers of this application have by themselves: a `container_name` may be that of another's. */
export function ownContainers(stage: Stage): ReadonlySet<string> {
  return new Set(
    servicesOf(stage).flatMap(([name, service]) => {
      const { container_name: named = '' } = service
      if (named !== '') return []
      const count = countOf(stage, name, service)
      return Array.from({ length: count }, (_, index) => `${stage.project}-${name}-${index + 1}`)
    }),
  )
}

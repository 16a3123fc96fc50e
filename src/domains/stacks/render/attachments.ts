/** How a service is on its networks: under which names, with which addresses. */
import { numberOf, recordOf, textMapOf, textOf, textsOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import type { AttachmentSpec } from '../spec.ts'
import { filled, servicesOf, type Stage } from './stage.ts'

/** The one with the highest priority comes first: it is the one that the container is made on. */
export function attachmentsOf(
  stage: Stage,
  name: string,
  service: JsonRecord,
  object: string,
): readonly AttachmentSpec[] {
  if (textOf(service['network_mode']) !== '') return []
  const networks = recordOf(service['networks'])
  const links = linksOf(service)
  const names = [object, name, ...linkedNames(stage, name)]
  return Object.keys(networks)
    .map((network) => ({ network, settings: recordOf(networks[network]) }))
    .toSorted(
      (one, other) =>
        numberOf(other.settings['priority']) - numberOf(one.settings['priority']) ||
        (one.network < other.network ? -1 : 1),
    )
    .map(({ network, settings }) => ({
      network: textOf(recordOf(recordOf(stage.model['networks'])[network])['name']),
      aliases: [...new Set([...names, ...textsOf(settings['aliases'])])],
      ...filled({
        links,
        ipv4: textOf(settings['ipv4_address']),
        ipv6: textOf(settings['ipv6_address']),
        linkLocal: textsOf(settings['link_local_ips']),
        mac: textOf(settings['mac_address']),
        options: textMapOf(settings['driver_opts']),
        interfaceName: textOf(settings['interface_name']),
      }),
      ...(typeof settings['gw_priority'] === 'number'
        ? { gatewayPriority: settings['gw_priority'] }
        : {}),
    }))
}

/** Names that other services' `links` give to this one: as aliases, which every engine knows. */
function linkedNames(stage: Stage, name: string): readonly string[] {
  return servicesOf(stage).flatMap(([, other]) =>
    textsOf(other['links']).flatMap((link) => {
      const [target = '', alias = target] = link.split(':')
      return target === name ? alias : []
    }),
  )
}

/** `container:alias` of anyone's container. */
function linksOf(service: JsonRecord): readonly string[] {
  return textsOf(service['external_links']).map((link) => {
    const [target = '', alias = target] = link.split(':')
    return `${target}:${alias}`
  })
}

/** How a service is on its networks: under which names, with which addresses. */
import { numberOf, recordOf, textMapOf, textOf, textsOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import type { AttachmentSpec } from '../spec.ts'
import { filled, type Stage } from './stage.ts'

/** The one with the highest priority comes first: it is the one that the container is made on. */
export function attachmentsOf(
  stage: Stage,
  name: string,
  service: JsonRecord,
  object: string,
): readonly AttachmentSpec[] {
  if (textOf(service['network_mode']) !== '') return []
  const networks = recordOf(service['networks'])
  const links = linksOf(stage, service)
  return Object.keys(networks)
    .map((network) => ({ network, settings: recordOf(networks[network]) }))
    .toSorted(
      (one, other) =>
        numberOf(other.settings['priority']) - numberOf(one.settings['priority']) ||
        (one.network < other.network ? -1 : 1),
    )
    .map(({ network, settings }) => ({
      network: textOf(recordOf(recordOf(stage.model['networks'])[network])['name']),
      aliases: [...new Set([object, name, ...textsOf(settings['aliases'])])],
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

/** `service:alias` of another service of this project, `container:alias` of anyone's. */
function linksOf(stage: Stage, service: JsonRecord): readonly string[] {
  const own = textsOf(service['links']).flatMap((link) => {
    const [target = '', alias = target] = link.split(':')
    const linked = recordOf(recordOf(stage.model['services'])[target])
    const object = textOf(linked['container_name']) || `${stage.project}-${target}-1`
    return [`${object}:${alias}`]
  })
  const others = textsOf(service['external_links']).map((link) => {
    const [target = '', alias = target] = link.split(':')
    return `${target}:${alias}`
  })
  return [...own, ...others]
}

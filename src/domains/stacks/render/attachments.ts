/** How a service is on its networks: under which names, with which addresses. */
import type { Service } from '#formats/compose/schema/file.ts'
import type { AttachmentSpec } from '../spec.ts'
import { byName, filled, servicesOf, type Stage } from './stage.ts'

/** The one with the highest priority comes first: it is the one that the container is made on. */
export function attachmentsOf(
  stage: Stage,
  name: string,
  service: Service,
  object: string,
): readonly AttachmentSpec[] {
  if ((service.network_mode ?? '') !== '') return []
  const links = linksOf(service)
  const names = [object, name, ...linkedNames(stage, name)]
  return Object.entries(service.networks ?? {})
    .map(([network, settings]) => ({ network, settings: settings ?? {} }))
    .toSorted(
      (one, other) =>
        (other.settings.priority ?? 0) - (one.settings.priority ?? 0) ||
        (one.network < other.network ? -1 : 1),
    )
    .map(({ network, settings }) => ({
      network: byName(stage.model.networks, network)?.name ?? '',
      aliases: [...new Set([...names, ...(settings.aliases ?? [])])],
      ...filled({
        links,
        ipv4: settings.ipv4_address ?? '',
        ipv6: settings.ipv6_address ?? '',
        linkLocal: settings.link_local_ips ?? [],
        mac: settings.mac_address ?? '',
        options: settings.driver_opts ?? {},
        interfaceName: settings.interface_name ?? '',
      }),
      ...(settings.gw_priority === undefined ? {} : { gatewayPriority: settings.gw_priority }),
    }))
}

/** Names that other services' `links` give to this one: as aliases, which every engine knows. */
function linkedNames(stage: Stage, name: string): readonly string[] {
  return servicesOf(stage).flatMap(([, other]) =>
    (other.links ?? []).flatMap((link) => {
      const [target = '', alias = target] = link.split(':')
      return target === name ? alias : []
    }),
  )
}

/** `container:alias` of anyone's container. */
function linksOf(service: Service): readonly string[] {
  return (service.external_links ?? []).map((link) => {
    const [target = '', alias = target] = link.split(':')
    return `${target}:${alias}`
  })
}

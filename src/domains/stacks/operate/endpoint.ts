/** How a container is on a network, in the API's words. */
import type { JsonRecord } from '#model/json.ts'
import type { AttachmentSpec } from '../spec.ts'

export function endpointOf(attachment: AttachmentSpec): JsonRecord {
  const { aliases, links, ipv4, ipv6, linkLocal, mac, options, gatewayPriority } = attachment
  const ipam = {
    ...(ipv4 === undefined ? {} : { IPv4Address: ipv4 }),
    ...(ipv6 === undefined ? {} : { IPv6Address: ipv6 }),
    ...(linkLocal === undefined ? {} : { LinkLocalIPs: linkLocal }),
  }
  const name = attachment.interfaceName
  const allOptions = {
    ...options,
    ...(name === undefined ? {} : { 'com.docker.network.endpoint.ifname': name }),
  }
  return {
    Aliases: aliases,
    ...(links === undefined ? {} : { Links: links }),
    ...(Object.keys(ipam).length === 0 ? {} : { IPAMConfig: ipam }),
    ...(mac === undefined ? {} : { MacAddress: mac }),
    ...(Object.keys(allOptions).length === 0 ? {} : { DriverOpts: allOptions }),
    ...(gatewayPriority === undefined ? {} : { GwPriority: gatewayPriority }),
  }
}

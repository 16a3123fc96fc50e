/** Ports of the host that containers publish, as Docker's and Podman's inspect and k3d's lists have them. */
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'

type Published = { readonly hostPort: number; readonly hostAddress: string }

/** `{ "80/tcp": [{ "HostIp": "127.0.0.1", "HostPort": "18090" }] }`. k3d gives its API port without a protocol: `"6443"`. */
export function publishedTo(bindings: unknown, port: number): Published | undefined {
  const all = recordOf(bindings)
  const [binding] = recordsOf(all[`${port}/tcp`] ?? all[port])
  const hostPort = Number(textOf(binding?.['HostPort']))
  if (binding === undefined || !Number.isInteger(hostPort) || hostPort < 1) return undefined
  const address = textOf(binding['HostIp'])
  return { hostPort, hostAddress: address === '' ? '0.0.0.0' : address }
}

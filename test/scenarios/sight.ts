/** All that a Podman holds, as lines that people can compare, with what tells an object from its successor. */
import type { Podman } from '#clients/podman/client.ts'
import { listContainers } from '#clients/podman/containers.ts'
import { listNetworks } from '#clients/podman/networks.ts'
import { listPods } from '#clients/podman/pods.ts'
import { inspectSecret, listSecrets } from '#clients/podman/secrets.ts'
import { listVolumes } from '#clients/podman/volumes.ts'

export type Thing = {
  /** `container/web`. */
  readonly ref: string
  /** `container/web running on inner`. */
  readonly line: string
  readonly id: string
  /** Its id and when it was started last. */
  readonly life: string
  readonly labels: Readonly<Record<string, string>>
}

export type Sight = readonly Thing[]

const { signal } = new AbortController()

export async function sightOf(podman: Podman): Promise<Sight> {
  const containers = await listContainers(podman, signal)
  const own = containers.filter(({ isInfra }) => !isInfra)
  const pods = await listPods(podman, signal)
  const networks = await listNetworks(podman, signal)
  const volumes = await listVolumes(podman, signal)
  return [
    ...own.map(({ name, id, state, startedAt, labels, ...one }) => {
      const on = one.pod === '' ? ` on ${one.networks.toSorted().join(', ')}` : ' in a pod'
      // it ended, and Podman has not yet tidied up behind it
      const now = state === 'stopped' ? 'exited' : state
      const line = `${name} ${now}${on === ' on ' ? '' : on}`
      return thing('container', name, line, id, `${id} ${startedAt}`, labels)
    }),
    ...pods.map(({ name, id, labels }) => thing('pod', plain(name), plain(name), id, id, labels)),
    ...networks
      .filter(({ name }) => name !== 'podman')
      .map(({ name, labels }) => thing('network', name, name, name, name, labels)),
    ...volumes.map(({ name, createdAt, labels }) =>
      thing('volume', name, name, createdAt, createdAt, labels),
    ),
    ...(await secretsOf(podman)),
  ]
}

function thing(
  kind: string,
  name: string,
  line: string,
  id: string,
  life: string,
  labels: Readonly<Record<string, string>>,
): Thing {
  return { ref: `${kind}/${name}`, line: `${kind}/${line}`, id, life, labels }
}

async function secretsOf(podman: Podman): Promise<Sight> {
  const secrets = await listSecrets(podman, signal)
  return Promise.all(
    secrets.map(async ({ id, name }) => {
      const inspected = await inspectSecret(podman, id, signal)
      return thing('secret', plain(name), plain(name), id, id, inspected?.labels ?? {})
    }),
  )
}

/** Without what tells a second generation from the first. */
function plain(name: string): string {
  return name.replace(/-[0-9a-f]{6}$/, '')
}

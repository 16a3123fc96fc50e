/** From a declared container to its spec and what it waits for. */
import type { Need } from '#model/resource.ts'
import type { ChartContext } from './chart-context.ts'
import { compact } from './compact.ts'
import { containerEnv } from './container-env.ts'
import { containerDevices, containerResources, containerUlimits } from './container-limits.ts'
import { claims, containerMounts } from './container-mounts.ts'
import { containerSecrets } from './container-secrets.ts'
import { dependencies } from './container-dependencies.ts'
import type { Declaration } from './declaration.ts'
import { healthSpec } from './health-spec.ts'
import { attachments, hostsOf, portsOf } from './network-parts.ts'
import { restartPolicyOf } from './restart-policy.ts'
import { bad } from '#formats/schema/rule.ts'
import { signalName } from './signals.ts'
import type { ContainerSpec } from '../spec.ts'
import { textsOf } from './texts.ts'

export type MadeContainer = { readonly spec: ContainerSpec; readonly needs: readonly Need[] }

export function containerSpec(
  container: Declaration<'container'>,
  context: ChartContext,
): MadeContainer {
  const { data } = container
  const membership = context.memberships.get(container.name)
  const claim = claims(container)
  const env = containerEnv(container, context)
  const { mounts, needs: volumeNeeds } = containerMounts(container, context, claim)
  const { needs: secretNeeds, ...secrets } = containerSecrets(container, context, env, claim)
  const joined = attachments(container, context, [container.name])
  const ports = portsOf(container, data.ports)
  const podNeeds = membership === undefined ? [] : [renewing(membership.pod.ref)]

  const spec: ContainerSpec = compact({
    object: container.object,
    image: data.image,
    imagePullPolicy: pullPolicy(data.imagePullPolicy),
    command: filledList(data.command),
    args: filledList(data.args),
    env,
    workingDir: data.workingDir,
    user: userOf(container),
    groups: filledList(data.securityContext?.supplementalGroups?.map(String)),
    pod: membership && { from: membership.pod.ref, output: 'object' },
    init: membership?.init,
    ports: membership === undefined ? ports : [],
    mounts,
    networks: membership === undefined ? joined.networks : [],
    ...secrets,
    health: healthSpec(container),
    privileged: data.securityContext?.privileged === true ? true : undefined,
    capabilitiesAdd: capabilities(data.securityContext?.capabilities?.add),
    capabilitiesDrop: capabilities(data.securityContext?.capabilities?.drop),
    readOnlyRootFilesystem: isReadOnly(container) ? true : undefined,
    sysctl: membership === undefined ? textsOf(container, ['sysctl'], data.sysctl) : undefined,
    ...containerResources(container),
    restartPolicy: restartPolicyOf(container, membership),
    labels: container.labels,
    hostname: membership === undefined ? data.hostname : undefined,
    extraHosts: membership === undefined ? hostsOf(container, data.extraHosts) : undefined,
    ulimits: containerUlimits(container),
    devices: containerDevices(container),
    stopSignal: stopSignal(container),
    stopTimeoutSeconds: data.stopTimeoutSeconds,
    logging: loggingOf(container),
  })
  const networkNeeds = membership === undefined ? joined.needs : []
  const needs = [
    ...podNeeds,
    ...networkNeeds,
    ...volumeNeeds,
    ...secretNeeds,
    ...dependencies(container, context),
  ]
  return { spec, needs: distinct(needs) }
}

function renewing(ref: string): Need {
  return { ref, until: 'exists', renew: true }
}

function filledList(list: readonly string[] | undefined): readonly string[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list
}

const policies = ['always', 'newer', 'never'] as const

function pullPolicy(written: string | undefined): ContainerSpec['imagePullPolicy'] {
  const policy = written?.toLowerCase()
  return policies.find((known) => known === policy) ?? 'missing'
}

function userOf(container: Declaration<'container'>): string | undefined {
  const { uid, gid, securityContext: context } = container.data
  if (uid !== undefined && context?.runAsUser !== undefined && uid !== context.runAsUser) {
    container.report(['uid'], bad(`differs from securityContext.runAsUser, ${context.runAsUser}`))
  }
  if (gid !== undefined && context?.runAsGroup !== undefined && gid !== context.runAsGroup) {
    container.report(['gid'], bad(`differs from securityContext.runAsGroup, ${context.runAsGroup}`))
  }
  const user = uid ?? context?.runAsUser
  const group = gid ?? context?.runAsGroup
  if (user === undefined && group === undefined) return undefined
  return `${user ?? ''}${group === undefined ? '' : `:${group}`}`
}

/** NET_ADMIN and CAP_NET_ADMIN are one; their order means nothing. */
function capabilities(names: readonly string[] | undefined): readonly string[] | undefined {
  const plain = (names ?? []).map((name) => name.toUpperCase().replace(/^CAP_/, ''))
  return filledList([...new Set(plain)].toSorted())
}

function isReadOnly(container: Declaration<'container'>): boolean {
  const { readOnlyRootFilesystem, securityContext } = container.data
  return readOnlyRootFilesystem ?? securityContext?.readOnlyRootFilesystem ?? false
}

function stopSignal(container: Declaration<'container'>): string | undefined {
  const written = container.data.stopSignal
  if (written === undefined) return undefined
  const name = signalName(written)
  if (name === undefined) {
    const fault = bad(
      `${JSON.stringify(written)} is not a signal`,
      'write SIGTERM, SIGINT, SIGQUIT …',
    )
    container.report(['stopSignal'], fault)
  }
  return name
}

function loggingOf(container: Declaration<'container'>): ContainerSpec['logging'] {
  const { logging } = container.data
  if (logging === undefined) return undefined
  const options = textsOf(container, ['logging', 'options'], logging.options) ?? {}
  const size = options['max-size']
  if (size !== undefined && !/^\d+(\.\d+)?([kmgt]i?b?)?$/i.test(size)) {
    const fault = bad(`${JSON.stringify(size)} is not a size`, 'write it as 10m')
    container.report(['logging', 'options', 'max-size'], fault)
  }
  return { driver: logging.driver ?? '', options }
}

/** Two uses of one thing are one need; the one that waits longer, or renews, stands. */
function distinct(needs: readonly Need[]): readonly Need[] {
  const order = ['exists', 'started', 'healthy', 'completed']
  const found = new Map<string, Need>()
  for (const need of needs) {
    const before = found.get(need.ref)
    if (before === undefined) found.set(need.ref, need)
    else {
      const isLonger = order.indexOf(need.until) > order.indexOf(before.until)
      const until = isLonger ? need.until : before.until
      found.set(need.ref, { ref: need.ref, until, renew: before.renew || need.renew })
    }
  }
  return [...found.values()]
}

/** Every field of a chart's manifests, and how it reaches the host or other applications. A test walks the schemas and this table. */
import { byEngine, byRule, confined, open, reachNothing, type ReachTable } from '#model/reach.ts'

const reaching: ReachTable = {
  'container.devices': byRule('devices', 'devices of the host'),
  'container.devices.hostPath': byRule('devices', 'devices of the host'),
  'container.envFile': confined('its values go into the container'),
  'container.image': byEngine(
    ['externalImages', 'runtimes', 'hostNamespaces'],
    'an image that another application built, unless shared; an image that is a file; annotations for runtimes, and variables without values',
    ['outsideBinds'],
  ),
  'container.logging.driver': byRule('logDrivers', '`passthrough`'),
  'container.logging.options': byRule(
    ['outsideBinds', 'logDrivers'],
    '`path` is a file of the host; other unknown options',
  ),
  'container.ports': open('ports of the host are what it is for; one that is taken is refused'),
  'container.securityContext.capabilities.add': byRule(
    ['capabilities', 'containedCapabilities'],
    'the second for those that count inside the container alone, such as NET_ADMIN',
  ),
  'container.securityContext.privileged': byRule('privileged', 'everything the host can do'),
  'container.sysctl': byRule('unconfined', 'all but those of its own namespaces'),
  'container.ulimits': byRule('containedCapabilities', '`rtprio`, `nice`'),
  'container.volumes.mountOptions.seLinuxLabel': open('it relabels what may be bound anyway'),
  'container.volumes.subPath': byRule(
    'outsideBinds',
    'a part of a volume that another container may write as a whole',
  ),
  'network.driver': byRule('networkDrivers', 'all but `bridge`: macvlan, ipvlan, plugins'),
  'network.options': byRule('networkDrivers', 'all but MTU and the like'),
  'network.subnet': byRule('hostNamespaces', 'one that is not private'),
  'pod.sysctl': byRule('unconfined', 'all but those of its own namespaces'),
  'pod.ports': open('ports of the host are what it is for; one that is taken is refused'),
  'secret.environment': confined('only variables that the operator listed'),
  'secret.files': confined('its content goes into the container'),
  'volume.driver': byRule('volumeDrivers', 'all but `local`: plugins mount what they like'),
  'volume.hostPath': byRule(['outsideBinds', 'engineSocket'], 'a path outside of `allowedRoots`'),
  'volume.hostPath.path': byRule(
    ['outsideBinds', 'engineSocket'],
    'a path outside of `allowedRoots`',
  ),
  'volume.options': byRule(
    ['outsideBinds', 'networkVolumes'],
    'all but tmpfs with size, mode and owner; a bind is judged as a bind; NFS and CIFS',
  ),
  'volume.securityContext.owner': open('of a path that Tend makes; the path itself is judged'),
  'volume.securityContext.seLinuxOptions': open('it relabels what may be bound anyway'),
  'volume.volume.driver': byRule('volumeDrivers', 'all but `local`: plugins mount what they like'),
  'volume.volume.options': byRule(
    ['outsideBinds', 'networkVolumes'],
    'all but tmpfs with size, mode and owner; a bind is judged as a bind; NFS and CIFS',
  ),
}

/** Limits of the container, its own inside, its own names. Whatever it refers to is declared by the same chart. */
const nothing: ReachTable = {
  ...reachNothing(
    'container.',
    `args command dependsOn dependsOn.condition dependsOn.name devices.containerPath devices.permissions
    env env.name env.value extraHosts gid health health.command health.httpGet health.httpGet.path
    health.httpGet.port health.intervalSeconds health.retries health.startPeriodSeconds health.tcpSocket
    health.tcpSocket.port health.timeoutSeconds health.type hostname imagePullPolicy logging networks pod
    ports.containerPort ports.hostIP ports.hostPort ports.name ports.protocol readOnlyRootFilesystem
    resources resources.limits resources.limits.cpu resources.limits.memory resources.requests
    resources.requests.cpu resources.requests.memory restartPolicy secrets secrets.env secrets.name
    secrets.path securityContext securityContext.capabilities securityContext.capabilities.drop
    securityContext.readOnlyRootFilesystem securityContext.runAsGroup securityContext.runAsUser
    securityContext.supplementalGroups stopSignal stopTimeoutSeconds tmpfs tmpfs.mountPath
    tmpfs.sizeLimit uid ulimits.*.hard ulimits.*.soft volumes volumes.containerPath
    volumes.mountOptions volumes.mountOptions.gidMapping volumes.mountOptions.gidMapping.containerID
    volumes.mountOptions.gidMapping.hostID volumes.mountOptions.gidMapping.size
    volumes.mountOptions.uidMapping volumes.mountOptions.uidMapping.containerID
    volumes.mountOptions.uidMapping.hostID volumes.mountOptions.uidMapping.size volumes.mountPath
    volumes.name volumes.readOnly workingDir`,
  ),
  ...reachNothing('network.', 'gateway'),
  ...reachNothing(
    'pod.',
    `containers containers.name extraHosts hostname initContainers initContainers.name initContainers.type
    networks ports.containerPort ports.hostIP ports.hostPort ports.name ports.protocol restartPolicy`,
  ),
  ...reachNothing('secret.', 'data stringData type'),
  ...reachNothing(
    'volume.',
    `emptyDir emptyDir.medium emptyDir.sizeLimit hostPath.type securityContext securityContext.owner.group securityContext.owner.user
    securityContext.seLinuxOptions.level type volume`,
  ),
}

export const chartsReach: ReachTable = { ...reaching, ...nothing }

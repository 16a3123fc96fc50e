/** For each field that a rule judges, by rule: a file that asks for it. */
import { manifest } from './fake/chart.ts'
import type { Rule } from '#model/policy.ts'

export type Examples = Readonly<Record<string, Partial<Record<Rule, string>>>>

function web(said: string, more = ''): string {
  return `services:\n  web:\n    image: x\n    ${said}\n${more}`
}

function volume(said: string): string {
  return web('volumes: ["vol:/v"]', `volumes: { vol: { ${said} } }\n`)
}

function network(said: string): string {
  return web('networks: [net]', `networks: { net: { ${said} } }\n`)
}

const device = 'deploy: { resources: { reservations: { devices: [{ capabilities: [gpu] }] } } }'
const part = `services:
  a: { image: x, volumes: ["vol:/v"] }
  b: { image: x, volumes: [{ type: volume, source: vol, target: /p, volume: { subpath: sub } }] }
volumes: { vol: {} }
`

function outsideDockerfile(said: string): string {
  return `${web('build: { context: ., dockerfile: Dockerfile }')}# ${said}\n`
}

function inlineDockerfile(said: string): string {
  return web(`build: { context: ., dockerfile_inline: ${JSON.stringify(`FROM x\n${said}\n`)} }`)
}

function inDockerfile(of: (said: string) => string): Examples[string] {
  return {
    hostNamespaces: of('ADD http://127.0.0.1:80/ /x'),
    externalVolumes: of('RUN --mount=type=cache,target=/c true'),
    outsideBinds: of('FROM oci-archive:/etc/passwd'),
    privileged: of('COPY --from=$$X / /'),
  }
}

export const stackExamples: Examples = {
  'services.*.labels': { runtimes: web('labels: { PODMAN_SYSTEMD_UNIT: ssh.service }') },
  'services.*.annotations': { runtimes: web('annotations: { run.oci.handler: krun }') },
  'services.*.build.cache_from': {
    outsideBinds: web('build: { context: ., cache_from: ["type=local,src=/etc"] }'),
  },
  'services.*.build.tags': { outsideBinds: web('build: { context: ., tags: ["dir:/etc/x"] }') },
  'services.*.group_add': { unconfined: web('group_add: ["1000", keep-groups]') },
  'services.*.image': {
    outsideBinds: 'services: { web: { image: "docker-archive:/etc/passwd" } }\n',
  },
  'services.*.volumes.image': {
    outsideBinds: web('volumes: [{ type: image, source: "oci:/etc", target: /x, image: {} }]'),
  },
  'services.*.build.dockerfile': inDockerfile(outsideDockerfile),
  'services.*.build.dockerfile_inline': inDockerfile(inlineDockerfile),
  'services.*.build.network': {
    hostNamespaces: web('build: { context: ., network: host }'),
    externalNetworks: web('build: { context: ., network: victim }'),
  },
  'services.*.cap_add': {
    capabilities: web('cap_add: [SYS_ADMIN]'),
    containedCapabilities: web('cap_add: [CAP_NET_ADMIN]'),
  },
  'services.*.cgroup': { hostNamespaces: web('cgroup: host') },
  'services.*.cgroup_parent': { unconfined: web('cgroup_parent: /system.slice') },
  'services.*.deploy.resources.reservations.devices': { devices: web(device) },
  'services.*.device_cgroup_rules': { devices: web('device_cgroup_rules: ["c 1:3 mr"]') },
  'services.*.devices': { devices: web('devices: [/dev/kvm]') },
  'services.*.devices.source': {
    devices: web('devices: [{ source: /dev/kvm, target: /dev/kvm, permissions: rwm }]'),
  },
  'services.*.external_links': { externalNetworks: web('external_links: [db:db]') },
  'services.*.gpus': { devices: web('gpus: all') },
  'services.*.ipc': { hostNamespaces: web('ipc: host') },
  'services.*.logging.driver': { logDrivers: web('logging: { driver: syslog }') },
  'services.*.logging.options': {
    outsideBinds: web('logging: { driver: k8s-file, options: { path: /etc/cron.d/x } }'),
    logDrivers: web('logging: { driver: json-file, options: { unknown: x } }'),
  },
  'services.*.network_mode': {
    hostNamespaces: web('network_mode: host'),
    externalNetworks: web('network_mode: victim_default'),
  },
  'services.*.networks': { hostNamespaces: network('name: host, external: true') },
  'services.*.oom_kill_disable': { unconfined: web('oom_kill_disable: true') },
  'services.*.oom_score_adj': { unconfined: web('oom_score_adj: -500') },
  'services.*.pid': { hostNamespaces: web('pid: host') },
  'services.*.post_start.privileged': {
    privileged: web('post_start: [{ command: x, privileged: true }]'),
  },
  'services.*.pre_stop.privileged': {
    privileged: web('pre_stop: [{ command: x, privileged: true }]'),
  },
  'services.*.privileged': { privileged: web('privileged: true') },
  'services.*.runtime': { runtimes: web('runtime: /srv/shop/mine') },
  'services.*.security_opt': { unconfined: web('security_opt: [apparmor=unconfined]') },
  'services.*.cpu_rt_period': { unconfined: web('cpu_rt_period: 1000') },
  'services.*.cpu_rt_runtime': { unconfined: web('cpu_rt_runtime: 950') },
  'services.*.storage_opt': { unconfined: web('storage_opt: { mount_program: x }') },
  'services.*.sysctls': { unconfined: web('sysctls: ["kernel.core_pattern=|/x"]') },
  'services.*.ulimits': { containedCapabilities: web('ulimits: { rtprio: 99 }') },
  'services.*.tmpfs': { outsideBinds: web('tmpfs: ["/x:size=1m,rshared"]') },
  'services.*.userns_mode': { hostNamespaces: web('userns_mode: host') },
  'services.*.uts': { hostNamespaces: web('uts: host') },
  'services.*.volumes.bind.propagation': {
    outsideBinds: web(
      'volumes: [{ type: bind, source: ./a, target: /a, bind: { propagation: rshared } }]',
    ),
  },
  'services.*.volumes.source': {
    outsideBinds: web('volumes: ["/etc:/e"]'),
    engineSocket: web('volumes: ["/run/docker.sock:/s"]'),
  },
  'services.*.volumes.volume.subpath': { outsideBinds: part },
  'services.*.volumes_from': { outsideBinds: web('volumes_from: ["container:victim"]') },
  'networks.*.driver': { networkDrivers: network('driver: macvlan') },
  'networks.*.driver_opts': { networkDrivers: network('driver_opts: { parent: eth0 }') },
  'networks.*.external': { externalNetworks: network('external: true, name: proxy') },
  'networks.*.external.name': { externalNetworks: network('external: { name: proxy }') },
  'networks.*.ipam.config.subnet': {
    hostNamespaces: network('ipam: { config: [{ subnet: 1.1.1.0/24 }] }'),
  },
  'networks.*.ipam.driver': { networkDrivers: network('ipam: { driver: dhcp }') },
  'networks.*.name': { hostNamespaces: network('name: host') },
  'volumes.*.driver': { volumeDrivers: volume('driver: vieux/sshfs') },
  'volumes.*.driver_opts': {
    outsideBinds: volume('driver_opts: { device: "LABEL=root" }'),
    networkVolumes: volume('driver_opts: { type: nfs, device: ":/x", o: "addr=10.0.0.1" }'),
  },
  'volumes.*.external': { externalVolumes: volume('external: true, name: victim_data') },
  'volumes.*.external.name': { externalVolumes: volume('external: { name: victim_data }') },
  'volumes.*.name': { outsideBinds: volume('name: /etc') },
}

function container(spec: string): string {
  return manifest('CuteContainer', 'one', `image: x\n${spec}`)
}

function cuteVolume(spec: string): string {
  return manifest('CuteVolume', 'data', spec)
}

function cuteNetwork(spec: string): string {
  return manifest('CuteNetwork', 'net', spec)
}

const nfs = '{ type: nfs, device: ":/x", o: "addr=10.0.0.1" }'
const hostPath = {
  outsideBinds: cuteVolume('hostPath: /etc'),
  engineSocket: cuteVolume('hostPath: /run/podman/podman.sock'),
}

export const chartExamples: Examples = {
  'container.devices': { devices: container('devices: [/dev/kvm]') },
  'container.devices.hostPath': { devices: container('devices: [{ hostPath: /dev/kvm }]') },
  'container.sysctl': { unconfined: container('sysctl: { kernel.panic: 1 }') },
  'container.ulimits': {
    containedCapabilities: container('ulimits: { rtprio: { soft: 9, hard: 9 } }'),
  },
  'pod.sysctl': {
    unconfined: `${manifest('CutePod', 'p', 'containers: [{ name: one }]\nsysctl: { kernel.panic: 1 }')}---\n${container('')}`,
  },
  'container.image': {
    outsideBinds: manifest('CuteContainer', 'one', 'image: "dir:/etc"'),
  },
  'container.logging.driver': { logDrivers: container('logging: { driver: passthrough }') },
  'container.logging.options': {
    outsideBinds: container('logging: { driver: k8s-file, options: { path: /etc/cron.d/x } }'),
    logDrivers: container('logging: { driver: k8s-file, options: { unknown: x } }'),
  },
  'container.securityContext.capabilities.add': {
    capabilities: container('securityContext: { capabilities: { add: [SYS_ADMIN] } }'),
    containedCapabilities: container('securityContext: { capabilities: { add: [NET_ADMIN] } }'),
  },
  'container.securityContext.privileged': {
    privileged: container('securityContext: { privileged: true }'),
  },
  'container.volumes.subPath': {
    outsideBinds: [
      manifest('CuteContainer', 'a', 'image: x\nvolumes: [{ name: data, mountPath: /d }]'),
      manifest(
        'CuteContainer',
        'b',
        'image: x\nvolumes: [{ name: data, mountPath: /d, subPath: sub }]',
      ),
      cuteVolume('volume: {}'),
    ].join('---\n'),
  },
  'network.driver': { networkDrivers: cuteNetwork('driver: macvlan') },
  'network.options': { networkDrivers: cuteNetwork('options: { parent: eth0 }') },
  'network.subnet': { hostNamespaces: cuteNetwork('subnet: 1.1.1.0/24') },
  'volume.driver': { volumeDrivers: cuteVolume('driver: plugin') },
  'volume.hostPath': hostPath,
  'volume.hostPath.path': {
    outsideBinds: cuteVolume('hostPath: { path: /etc }'),
    engineSocket: cuteVolume('hostPath: { path: /run/podman/podman.sock, type: Socket }'),
  },
  'volume.options': {
    outsideBinds: cuteVolume('options: { o: move, device: tmp/x }'),
    networkVolumes: cuteVolume(`options: ${nfs}`),
  },
  'volume.volume.driver': { volumeDrivers: cuteVolume('volume: { driver: plugin }') },
  'volume.volume.options': {
    outsideBinds: cuteVolume('volume: { options: { device: "LABEL=root" } }'),
    networkVolumes: cuteVolume(`volume: { options: ${nfs} }`),
  },
}

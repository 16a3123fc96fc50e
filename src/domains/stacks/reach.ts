/** Every field of a Compose file, and how it reaches the host or other applications. A test walks the schema and this table. */
import {
  byEngine,
  byRule,
  confined,
  open,
  reachNothing,
  refused,
  type ReachTable,
} from '#model/reach.ts'

const windows = 'it is for Windows containers'
const elsewhere = 'the engine would read or write other places'
const copied = 'its content goes into the container'

/** Whose an image is only the engine knows: it is asked before each use and each build. */
const ofImage = byEngine(
  ['externalImages'],
  'an image that another application built, unless shared; a name to build under that is not its own; an image that is a file',
  ['outsideBinds'],
)
const ofDockerfile = byEngine(
  ['externalImages'],
  'images of others; ADD of an address, odd flags of RUN; caches that all builds share; images that are files; what engines may read differently',
  ['hostNamespaces', 'externalVolumes', 'outsideBinds', 'privileged'],
)

const ofServices: ReachTable = {
  'services.*.annotations': byRule('runtimes', 'OCI runtimes and hooks of the host read them'),
  'services.*.build.additional_contexts': refused(elsewhere),
  'services.*.build.cache_to': refused(elsewhere),
  'services.*.build.cache_from': ofImage,
  'services.*.build.context': confined('it is sent to the engine; links in it are sent as links'),
  'services.*.build.dockerfile': ofDockerfile,
  'services.*.build.dockerfile_inline': ofDockerfile,
  'services.*.build.entitlements': refused('it loosens the confinement of builds'),
  'services.*.build.isolation': refused(windows),
  'services.*.build.network': byRule(
    ['hostNamespaces', 'externalNetworks'],
    '`host` is the network of the host, a name that of others',
  ),
  'services.*.build.no_cache_filter': refused('the engine can not do it'),
  'services.*.build.privileged': refused('it loosens the confinement of builds'),
  'services.*.build.provenance': refused('the engine can not do it'),
  'services.*.build.sbom': refused('the engine can not do it'),
  'services.*.build.secrets': refused('they are files of the host'),
  'services.*.build.ssh': refused('it is an agent of the host'),
  'services.*.build.tags': ofImage,
  'services.*.build.ulimits': refused('they are limits of the engine'),
  'services.*.cap_add': byRule(
    ['capabilities', 'containedCapabilities'],
    'the second for those that count inside the container alone, such as NET_ADMIN',
  ),
  'services.*.cgroup': byRule('hostNamespaces', '`host`'),
  'services.*.cgroup_parent': byRule('unconfined', 'it takes the container out of its limits'),
  'services.*.container_name': open("a name that is taken, or another's, is refused"),
  'services.*.cpu_rt_period': byRule('unconfined', 'time before all others'),
  'services.*.cpu_rt_runtime': byRule('unconfined', 'time before all others'),
  'services.*.credential_spec': refused(windows),
  'services.*.deploy.resources.reservations.devices': byRule('devices', 'devices of the host'),
  'services.*.device_cgroup_rules': byRule('devices', 'devices of the host'),
  'services.*.devices': byRule('devices', 'devices of the host'),
  'services.*.devices.source': byRule('devices', 'devices of the host'),
  'services.*.env_file': confined(copied),
  'services.*.env_file.path': confined(copied),
  'services.*.extends.file': confined('it is merged and then judged'),
  'services.*.external_links': byRule('externalNetworks', 'a container of others, unless shared'),
  'services.*.gpus': byRule('devices', 'devices of the host'),
  'services.*.group_add': byRule(
    'unconfined',
    '`keep-groups`: with it Podman leaves a container the groups of its own user',
  ),
  'services.*.image': byEngine(
    ['externalImages', 'runtimes', 'hostNamespaces'],
    'an image that another application built, unless shared; a name to build under that is not its own; an image that is a file; on Podman annotations for runtimes, and variables without values',
    ['outsideBinds'],
  ),
  'services.*.ipc': byRule('hostNamespaces', '`host`, `container:NAME` unless shared'),
  'services.*.isolation': refused(windows),
  'services.*.label_file': confined('it is merged and then judged'),
  'services.*.labels': byRule('runtimes', 'those by which Podman restarts units of the host'),
  'services.*.logging.driver': byRule('logDrivers', 'all but those that keep logs on this host'),
  'services.*.logging.options': byRule(
    ['outsideBinds', 'logDrivers'],
    '`path` and addresses that are paths; other unknown options',
  ),
  'services.*.models': refused('nobody runs them'),
  'services.*.network_mode': byRule(
    ['hostNamespaces', 'externalNetworks'],
    '`host`, `container:NAME` unless shared; a network by its name unless shared',
  ),
  'services.*.networks': byRule('hostNamespaces', 'a network named `host`'),
  'services.*.oom_kill_disable': byRule('unconfined', 'the host runs out of memory instead'),
  'services.*.oom_score_adj': byRule('unconfined', 'below 0: others are ended first'),
  'services.*.pid': byRule('hostNamespaces', '`host`, `container:NAME` unless shared'),
  'services.*.ports': open('ports of the host are what it is for; one that is taken is refused'),
  'services.*.pre_start': refused('it runs containers that nobody declared as services'),
  'services.*.post_start.privileged': byRule('privileged', 'as the service itself'),
  'services.*.pre_stop.privileged': byRule('privileged', 'as the service itself'),
  'services.*.privileged': byRule('privileged', 'everything the host can do'),
  'services.*.provider': refused('it runs programs of the host'),
  'services.*.runtime': byRule('runtimes', 'a program of the host'),
  'services.*.security_opt': byRule(
    'unconfined',
    'all but `no-new-privileges` (`:false` takes back what an engine may have by default), `mask` and what engines have by default',
  ),
  'services.*.storage_opt': byRule('unconfined', 'all but `size`'),
  'services.*.sysctls': byRule('unconfined', 'all but those of its own namespaces'),
  'services.*.tmpfs': byRule(
    'outsideBinds',
    'options other than size, mode, owner, `ro`, `noexec` and the like',
  ),
  'services.*.ulimits': byRule('containedCapabilities', '`rtprio`, `nice`'),
  'services.*.use_api_socket': refused("it is the engine's socket"),
  'services.*.userns_mode': byRule('hostNamespaces', '`host`'),
  'services.*.uts': byRule('hostNamespaces', '`host`'),
  'services.*.volumes.bind.propagation': byRule('outsideBinds', 'all but `private`, `rprivate`'),
  'services.*.volumes.bind.selinux': open('it relabels what may be bound anyway'),
  'services.*.volumes.image': ofImage,
  'services.*.volumes.source': byRule(
    ['outsideBinds', 'engineSocket'],
    'a path outside of the snapshot and of `allowedRoots`, or inside of what a container may write',
  ),
  'services.*.volumes.volume.subpath': byRule(
    'outsideBinds',
    'a part of a volume that another container may write as a whole',
  ),
  'services.*.volumes_from': byRule('outsideBinds', '`container:NAME` unless shared'),
}

const ofOthers: ReachTable = {
  'configs.*.external': refused('there is no store of them'),
  'configs.*.file': confined(copied),
  'configs.*.template_driver': refused('there is no store of them'),
  include: confined('it is merged and then judged'),
  'include.env_file': confined('its values are interpolated'),
  'include.path': confined('it is merged and then judged'),
  'include.project_directory': confined('it is merged and then judged'),
  'networks.*.driver': byRule('networkDrivers', 'all but `bridge`: macvlan, ipvlan, plugins'),
  'networks.*.driver_opts': byRule('networkDrivers', 'all but MTU and the like'),
  'networks.*.external': byRule('externalNetworks', 'unless it is shared'),
  'networks.*.external.name': byRule('externalNetworks', 'unless it is shared'),
  'networks.*.ipam.config.subnet': byRule('hostNamespaces', 'one that is not private'),
  'networks.*.ipam.driver': byRule('networkDrivers', 'all but the default'),
  'networks.*.labels': open("others may read them; those of Tend can't be set"),
  'networks.*.name': byRule(
    'hostNamespaces',
    "`host`; a name that is taken, or another's, is refused",
  ),
  'secrets.*.driver': refused('there is no store of them'),
  'secrets.*.external': refused('there is no store of them'),
  'secrets.*.file': confined(copied),
  'secrets.*.template_driver': refused('there is no store of them'),
  'volumes.*.driver': byRule('volumeDrivers', 'all but `local`: plugins mount what they like'),
  'volumes.*.driver_opts': byRule(
    ['outsideBinds', 'networkVolumes'],
    'all but tmpfs with size, mode and owner; a bind is judged as a bind; NFS and CIFS',
  ),
  'volumes.*.external': byRule('externalVolumes', 'unless it is shared'),
  'volumes.*.external.name': byRule('externalVolumes', 'unless it is shared'),
  'volumes.*.labels': open("others may read them; those of Tend can't be set"),
  'volumes.*.name': byRule(
    'outsideBinds',
    "a path; a name that is taken, or another's, is refused",
  ),
}

/** Limits of the container, its own inside, its own names, and what has no effect. */
const nothing: ReachTable = {
  ...reachNothing(
    'services.*.',
    `attach build build.args build.extra_hosts build.labels build.no_cache
    build.platforms build.pull build.secrets.gid build.secrets.mode build.secrets.source build.secrets.target
    build.secrets.uid build.shm_size build.target build.ulimits.*.hard build.ulimits.*.soft
    blkio_config blkio_config.device_read_bps blkio_config.device_read_bps.path blkio_config.device_read_bps.rate
    blkio_config.device_read_iops blkio_config.device_read_iops.path blkio_config.device_read_iops.rate
    blkio_config.device_write_bps blkio_config.device_write_bps.path blkio_config.device_write_bps.rate
    blkio_config.device_write_iops blkio_config.device_write_iops.path blkio_config.device_write_iops.rate
    blkio_config.weight blkio_config.weight_device blkio_config.weight_device.path blkio_config.weight_device.weight
    cap_drop command configs configs.gid configs.mode configs.source configs.target configs.uid
    cpu_count cpu_percent cpu_period cpu_quota cpu_shares cpus cpuset
    credential_spec.config credential_spec.file credential_spec.registry
    depends_on depends_on.*.condition depends_on.*.required depends_on.*.restart
    deploy deploy.endpoint_mode deploy.labels deploy.mode deploy.placement deploy.placement.constraints
    deploy.placement.max_replicas_per_node deploy.placement.preferences deploy.placement.preferences.spread
    deploy.replicas deploy.resources deploy.resources.limits deploy.resources.limits.cpus deploy.resources.limits.memory
    deploy.resources.limits.pids deploy.resources.reservations deploy.resources.reservations.cpus
    deploy.resources.reservations.devices.capabilities deploy.resources.reservations.devices.count
    deploy.resources.reservations.devices.device_ids deploy.resources.reservations.devices.driver
    deploy.resources.reservations.devices.options deploy.resources.reservations.generic_resources
    deploy.resources.reservations.generic_resources.discrete_resource_spec
    deploy.resources.reservations.generic_resources.discrete_resource_spec.kind
    deploy.resources.reservations.generic_resources.discrete_resource_spec.value
    deploy.resources.reservations.memory deploy.restart_policy deploy.restart_policy.condition
    deploy.restart_policy.delay deploy.restart_policy.max_attempts deploy.restart_policy.window
    deploy.rollback_config deploy.rollback_config.delay deploy.rollback_config.failure_action
    deploy.rollback_config.max_failure_ratio deploy.rollback_config.monitor deploy.rollback_config.order
    deploy.rollback_config.parallelism deploy.update_config deploy.update_config.delay
    deploy.update_config.failure_action deploy.update_config.max_failure_ratio deploy.update_config.monitor
    deploy.update_config.order deploy.update_config.parallelism
    develop develop.watch develop.watch.action develop.watch.exec develop.watch.exec.command
    develop.watch.exec.environment develop.watch.exec.privileged develop.watch.exec.user
    develop.watch.exec.working_dir develop.watch.ignore develop.watch.include develop.watch.initial_sync
    develop.watch.path develop.watch.target
    devices.permissions devices.target dns dns_opt dns_search domainname entrypoint
    env_file.format env_file.required environment expose extends extends.service extra_hosts
    gpus.capabilities gpus.count gpus.device_ids gpus.driver gpus.options
    healthcheck healthcheck.disable healthcheck.interval healthcheck.retries healthcheck.start_interval
    healthcheck.start_period healthcheck.test healthcheck.timeout hostname init links logging mac_address
    mem_limit mem_reservation mem_swappiness memswap_limit models.*.endpoint_var models.*.model_var
    networks.*.aliases networks.*.driver_opts networks.*.gw_priority networks.*.interface_name
    networks.*.ipv4_address networks.*.ipv6_address networks.*.link_local_ips networks.*.mac_address
    networks.*.priority pids_limit platform
    ports.app_protocol ports.host_ip ports.mode ports.name ports.protocol ports.published ports.target
    pre_start.command pre_start.environment pre_start.image pre_start.per_replica pre_start.privileged pre_start.user
    pre_start.working_dir post_start post_start.command post_start.environment post_start.user post_start.working_dir
    pre_stop pre_stop.command pre_stop.environment pre_stop.user pre_stop.working_dir
    profiles provider.options provider.type pull_policy pull_refresh_after read_only restart scale
    secrets secrets.gid secrets.mode secrets.source secrets.target secrets.uid shm_size stdin_open
    stop_grace_period stop_signal tty ulimits.*.hard ulimits.*.soft user
    volumes volumes.bind volumes.bind.create_host_path volumes.bind.recursive volumes.consistency
    volumes.image.subpath volumes.read_only volumes.target volumes.tmpfs volumes.tmpfs.mode volumes.tmpfs.size
    volumes.type volumes.volume volumes.volume.labels volumes.volume.nocopy working_dir`,
  ),
  ...reachNothing('configs', ' .*.content .*.environment .*.external.name .*.labels .*.name'),
  ...reachNothing('secrets', ' .*.driver_opts .*.environment .*.external.name .*.labels .*.name'),
  ...reachNothing('models', ' .*.context_size .*.model .*.name .*.runtime_flags'),
  ...reachNothing(
    'networks',
    ` .*.attachable .*.enable_ipv4 .*.enable_ipv6 .*.internal .*.ipam .*.ipam.config
    .*.ipam.config.aux_addresses .*.ipam.config.gateway .*.ipam.config.ip_range .*.ipam.options`,
  ),
  ...reachNothing('', 'configs models name networks secrets services version volumes'),
}

export const stacksReach: ReachTable = { ...ofServices, ...ofOthers, ...nothing }

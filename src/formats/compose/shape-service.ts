/** The shape of a service in the resolved model. The order of keys is that of the reference, since it is hashed. */
import { deploy, deviceRequest } from './shape-deploy.ts'
import {
  bytes,
  command,
  duration,
  environment,
  fileMode,
  flag,
  healthTest,
  hosts,
  int,
  mixedList,
  multiOptions,
  options,
  pairs,
  single,
  sshKeys,
  text,
  textOrList,
  texts,
  ulimit,
  unsigned,
} from './shape-leaves.ts'
import { always, given, isObject, listOf, mapOf, nullable, struct, type Shape } from './shape.ts'

const fileMounts = listOf(
  struct({ source: text, target: text, uid: text, gid: text, mode: given(fileMode) }),
)

const build = struct({
  context: text,
  dockerfile: text,
  dockerfile_inline: text,
  entitlements: texts,
  args: environment,
  provenance: text,
  sbom: text,
  ssh: sshKeys,
  labels: pairs,
  cache_from: textOrList,
  cache_to: textOrList,
  no_cache: flag,
  no_cache_filter: textOrList,
  additional_contexts: pairs,
  pull: flag,
  extra_hosts: hosts,
  isolation: text,
  network: text,
  target: text,
  secrets: fileMounts,
  shm_size: bytes,
  tags: textOrList,
  ulimits: mapOf(ulimit),
  platforms: textOrList,
  privileged: flag,
})

const hook = struct({
  command: always(command),
  user: text,
  privileged: flag,
  working_dir: text,
  environment,
})

const startHook = struct({
  command: always(command),
  image: text,
  user: text,
  privileged: flag,
  working_dir: text,
  environment,
  per_replica: flag,
})

const develop = struct({
  watch: listOf(
    struct({
      path: always(text),
      action: always(text),
      target: text,
      exec: always(hook),
      include: texts,
      ignore: texts,
      initial_sync: flag,
    }),
  ),
})

const throttles = listOf(struct({ path: always(text, 'Path'), rate: always(bytes, 'Rate') }))
const blkio = struct({
  weight: unsigned,
  weight_device: listOf(struct({ path: always(text, 'Path'), weight: always(unsigned, 'Weight') })),
  device_read_bps: throttles,
  device_read_iops: throttles,
  device_write_bps: throttles,
  device_write_iops: throttles,
})

const fullEnvFile = struct({ path: text, required: always(flag), format: text })

/** A required file is written as its path alone. */
const envFile: Shape = {
  ...fullEnvFile,
  write: (value) =>
    isObject(value) && value.required === true
      ? text.write(value.path ?? '')
      : fullEnvFile.write(value),
}

const healthcheck = struct({
  test: healthTest,
  timeout: given(duration),
  interval: given(duration),
  retries: given(unsigned),
  start_period: given(duration),
  start_interval: given(duration),
  disable: flag,
})

const network = struct({
  aliases: texts,
  driver_opts: options,
  gw_priority: int,
  interface_name: text,
  ipv4_address: text,
  ipv6_address: text,
  link_local_ips: texts,
  mac_address: text,
  priority: int,
})

const port = struct({
  name: text,
  mode: text,
  host_ip: text,
  target: unsigned,
  published: text,
  protocol: text,
  app_protocol: text,
})

const volume = struct({
  type: text,
  source: text,
  target: text,
  read_only: flag,
  consistency: text,
  bind: given(
    struct({ selinux: text, propagation: text, create_host_path: given(flag), recursive: text }),
  ),
  volume: given(struct({ labels: pairs, nocopy: flag, subpath: text })),
  tmpfs: given(struct({ size: bytes, mode: unsigned })),
  image: given(struct({ subpath: text })),
})

export const service = struct({
  profiles: texts,
  annotations: pairs,
  attach: given(flag),
  build: given(build),
  develop: given(develop),
  blkio_config: given(blkio),
  cap_add: texts,
  cap_drop: texts,
  cgroup_parent: text,
  cgroup: text,
  cpu_count: int,
  cpu_percent: single,
  cpu_period: int,
  cpu_quota: int,
  cpu_rt_period: int,
  cpu_rt_runtime: int,
  cpus: single,
  cpuset: text,
  cpu_shares: int,
  command: always(command),
  configs: fileMounts,
  container_name: text,
  credential_spec: given(struct({ config: text, file: text, registry: text })),
  depends_on: mapOf(struct({ condition: text, restart: flag, required: always(flag) })),
  deploy: given(deploy),
  device_cgroup_rules: texts,
  devices: listOf(struct({ source: text, target: text, permissions: text })),
  dns: textOrList,
  dns_opt: texts,
  dns_search: textOrList,
  domainname: text,
  entrypoint: always(command),
  provider: given(struct({ type: text, options: multiOptions })),
  environment,
  env_file: listOf(envFile),
  expose: mixedList,
  extends: given(struct({ file: text, service: text })),
  external_links: texts,
  extra_hosts: hosts,
  group_add: texts,
  gpus: listOf(deviceRequest),
  hostname: text,
  healthcheck: given(healthcheck),
  image: text,
  init: given(flag),
  ipc: text,
  isolation: text,
  labels: pairs,
  label_file: texts,
  links: texts,
  logging: given(struct({ driver: text, options })),
  mem_limit: bytes,
  mem_reservation: bytes,
  memswap_limit: bytes,
  mem_swappiness: bytes,
  mac_address: text,
  models: mapOf(nullable(struct({ endpoint_var: text, model_var: text }))),
  network_mode: text,
  networks: mapOf(nullable(network)),
  oom_kill_disable: flag,
  oom_score_adj: int,
  pid: text,
  pids_limit: int,
  platform: text,
  ports: listOf(port),
  privileged: flag,
  pull_policy: text,
  read_only: flag,
  restart: text,
  runtime: text,
  scale: given(int),
  secrets: fileMounts,
  security_opt: texts,
  shm_size: bytes,
  stdin_open: flag,
  stop_grace_period: given(duration),
  stop_signal: text,
  storage_opt: mapOf(text),
  sysctls: pairs,
  tmpfs: textOrList,
  tty: flag,
  ulimits: mapOf(ulimit),
  use_api_socket: flag,
  user: text,
  userns_mode: text,
  uts: text,
  volumes: listOf(volume),
  volumes_from: texts,
  working_dir: text,
  pre_start: listOf(startHook),
  post_start: listOf(hook),
  pre_stop: listOf(hook),
})

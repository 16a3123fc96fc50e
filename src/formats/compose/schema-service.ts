/** What a service may hold. */
import { build, fileMounts, ulimits } from './schema-build.ts'
import { deploy, deviceRequests } from './schema-deploy.ts'
import { develop, hook, startHook } from './schema-develop.ts'
import type { Rule } from './schema.ts'
import {
  closed,
  command,
  driverOptions,
  flag,
  flagOrText,
  hosts,
  listOf,
  looseDictionary,
  numberOrText,
  oneOf,
  orNull,
  pairs,
  record,
  resourceName,
  setOf,
  text,
  textOrList,
  textOrSet,
  textSet,
  wholeOrText,
} from './schema-words.ts'

const throttles = listOf(closed({ path: text, rate: wholeOrText }))
const blkio = closed({
  device_read_bps: throttles,
  device_read_iops: throttles,
  device_write_bps: throttles,
  device_write_iops: throttles,
  weight: wholeOrText,
  weight_device: listOf(closed({ path: text, weight: wholeOrText })),
})

const dependencies: Rule = {
  ...textSet,
  map: {
    others: {
      like: resourceName,
      rule: record(
        {
          condition: oneOf('service_started', 'service_healthy', 'service_completed_successfully'),
          required: flag,
          restart: flagOrText,
        },
        { required: ['condition'] },
      ),
    },
  },
}

const healthcheck = record({
  disable: flagOrText,
  interval: text,
  retries: numberOrText,
  start_interval: text,
  start_period: text,
  test: textOrList,
  timeout: text,
})

const networks: Rule = {
  ...textSet,
  map: {
    others: {
      like: resourceName,
      rule: orNull(
        record({
          aliases: textSet,
          driver_opts: driverOptions,
          gw_priority: { number: {} },
          interface_name: text,
          ipv4_address: text,
          ipv6_address: text,
          link_local_ips: textSet,
          mac_address: text,
          priority: { number: {} },
        }),
      ),
    },
  },
}

const models: Rule = {
  ...textSet,
  ...looseDictionary(resourceName, orNull(record({ endpoint_var: text, model_var: text }))),
}

const ports = setOf({
  ...numberOrText,
  ...record({
    app_protocol: text,
    host_ip: text,
    mode: text,
    name: text,
    protocol: text,
    published: wholeOrText,
    target: wholeOrText,
  }),
})

const volumes = setOf({
  ...text,
  ...record(
    {
      bind: record({
        create_host_path: flagOrText,
        propagation: text,
        recursive: oneOf('enabled', 'disabled', 'writable', 'readonly'),
        selinux: oneOf('z', 'Z'),
      }),
      consistency: text,
      image: record({ subpath: text }),
      read_only: flagOrText,
      source: text,
      target: text,
      tmpfs: record({ mode: numberOrText, size: { whole: { from: 0 }, text: {} } }),
      type: oneOf('bind', 'volume', 'tmpfs', 'cluster', 'npipe', 'image'),
      volume: record({ labels: pairs, nocopy: flagOrText, subpath: text }),
    },
    { required: ['type'] },
  ),
})

const envFile = closed({ format: text, path: text, required: flagOrText }, ['path'])
const option: Rule = { text: {}, number: {}, flag: true }

export const service: Rule = record({
  annotations: pairs,
  attach: flagOrText,
  blkio_config: blkio,
  build,
  cap_add: textSet,
  cap_drop: textSet,
  cgroup: oneOf('host', 'private'),
  cgroup_parent: text,
  command,
  configs: fileMounts,
  container_name: { text: { like: /[a-zA-Z0-9][a-zA-Z0-9_.-]+/ } },
  cpu_count: { text: {}, whole: { from: 0 } },
  cpu_percent: { text: {}, whole: { from: 0, to: 100 } },
  cpu_period: numberOrText,
  cpu_quota: numberOrText,
  cpu_rt_period: numberOrText,
  cpu_rt_runtime: numberOrText,
  cpu_shares: numberOrText,
  cpus: numberOrText,
  cpuset: text,
  credential_spec: record({ config: text, file: text, registry: text }),
  depends_on: dependencies,
  deploy,
  develop,
  device_cgroup_rules: textSet,
  devices: listOf({
    ...text,
    ...record({ permissions: text, source: text, target: text }, { required: ['source'] }),
  }),
  dns: textOrSet,
  dns_opt: textSet,
  dns_search: textOrSet,
  domainname: text,
  entrypoint: command,
  env_file: { ...text, ...listOf({ ...text, ...envFile }) },
  environment: pairs,
  expose: setOf(numberOrText),
  extends: { ...text, ...closed({ file: text, service: text }, ['service']) },
  external_links: textSet,
  extra_hosts: hosts,
  gpus: {
    ...oneOf('all'),
    list: { items: { map: { ...deviceRequests.map, isOpen: true, required: [] } } },
  },
  group_add: setOf(numberOrText),
  healthcheck,
  hostname: text,
  image: text,
  init: flagOrText,
  ipc: text,
  isolation: text,
  label_file: textOrList,
  labels: pairs,
  links: textSet,
  logging: record({
    driver: text,
    options: looseDictionary(/^.+$/, orNull(numberOrText)),
  }),
  mac_address: text,
  mem_limit: numberOrText,
  mem_reservation: wholeOrText,
  mem_swappiness: wholeOrText,
  memswap_limit: numberOrText,
  models,
  network_mode: text,
  networks,
  oom_kill_disable: flagOrText,
  oom_score_adj: { text: {}, whole: { from: -1000, to: 1000 } },
  pid: orNull(text),
  pids_limit: numberOrText,
  platform: text,
  ports,
  post_start: listOf(hook),
  pre_start: { ...listOf(startHook), since: 5 },
  pre_stop: listOf(hook),
  privileged: flagOrText,
  profiles: textSet,
  provider: record(
    { options: looseDictionary(/^.+$/, { ...option, ...listOf(option) }), type: text },
    { required: ['type'] },
  ),
  pull_policy: {
    text: {
      like: /always|never|build|if_not_present|missing|refresh|daily|weekly|every_(?:[0-9]+[wdhms])+/,
      likeSince5:
        /^(?:always|never|build|if_not_present|missing|refresh|daily|weekly|every_(?:[0-9]+[wdhms])+)$/,
    },
  },
  pull_refresh_after: text,
  read_only: flagOrText,
  restart: text,
  runtime: text,
  scale: wholeOrText,
  secrets: fileMounts,
  security_opt: textSet,
  shm_size: numberOrText,
  stdin_open: flagOrText,
  stop_grace_period: text,
  stop_signal: text,
  storage_opt: { map: { isOpen: true } },
  sysctls: pairs,
  tmpfs: textOrSet,
  tty: flagOrText,
  ulimits,
  use_api_socket: flag,
  user: text,
  userns_mode: text,
  uts: text,
  volumes,
  volumes_from: textSet,
  working_dir: text,
})

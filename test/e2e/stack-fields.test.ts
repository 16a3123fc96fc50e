/** Every field of a service, held against what docker compose makes of it on the same engine. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { recordOf, textOf } from '#model/read-json.ts'
import { isList, isRecord, type Json } from '#model/json.ts'
import { composeOracle, runCompose, type ComposeOracle } from '../testbed/compose-oracle.ts'
import { startDocker } from '../testbed/docker.ts'
import { driveStack, type StackDriver } from '../testbed/drive-stack.ts'
import { busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'

const oracles = [composeOracle('5.5.1'), composeOracle('2.40.3')]

const services: Readonly<Record<string, string>> = {
  plain: 'command: sleep 1000',
  words: `
    command: ["sh", "-c", "echo hello"]
    entrypoint: ["/bin/sh", "-e"]
    environment: { A: "1", B: two words, EMPTY: "" }
    user: "1000:1000"
    working_dir: /tmp
    hostname: words
    domainname: example.com
    tty: true
    stdin_open: true
    stop_signal: SIGUSR1
    stop_grace_period: 1m30s
    labels: { a.b: c }
    init: true
    restart: on-failure:3`,
  ports: `
    ports: ["127.0.0.1:29080:80", "29081-29082:81-82/udp", "83"]
    expose: ["90", "91-92"]`,
  mounts: `
    volumes:
      - data:/data
      - data:/data-ro:ro
      - ./folder:/folder
      - ./folder:/folder-ro:ro,z
      - { type: tmpfs, target: /t, tmpfs: { size: 10m, mode: 0o1777 } }
      - { type: bind, source: ./folder, target: /long, bind: { create_host_path: false, propagation: rslave } }
      - { type: volume, source: data, target: /nocopy, volume: { nocopy: true } }
    tmpfs: ["/run:size=1m", /scratch]
    read_only: true
    shm_size: 32m`,
  limits: `
    cpus: 0.5
    mem_limit: 50m
    mem_reservation: 20m
    pids_limit: 50
    cpu_shares: 512
    cpuset: "0"
    oom_score_adj: 100
    ulimits: { nofile: 1000, nproc: { soft: 100, hard: 200 } }`,
  deployed: `
    deploy:
      resources: { limits: { cpus: "0.25", memory: 60M, pids: 70 }, reservations: { memory: 30M } }
      restart_policy: { condition: on-failure, max_attempts: 4 }`,
  rights: `
    cap_add: [NET_ADMIN]
    cap_drop: [CHOWN]
    security_opt: ["no-new-privileges:true"]
    group_add: ["7", "8"]
    devices: ["/dev/null:/dev/other:r"]
    device_cgroup_rules: ["c 1:3 mr"]
    sysctls: { net.ipv4.ip_unprivileged_port_start: "0" }
    userns_mode: host
    ipc: private
    cgroup: private`,
  names: `
    dns: [10.0.0.1]
    dns_opt: [use-vc]
    dns_search: [example.com]
    extra_hosts: ["other:10.1.2.3", "v6:::1"]
    networks: { default: { aliases: [alias] }, second: }`,
  health: `
    healthcheck: { test: ["CMD", "true"], interval: 1m, timeout: 2s, retries: 4, start_period: 5s }
    logging: { driver: json-file, options: { max-size: 1m, max-file: "2" } }`,
  numbers: `
    logging: { driver: json-file, options: { max-size: 1m, max-file: 2 } }
    sysctls: [net.ipv4.ip_unprivileged_port_start=0]
    labels: { count: 3, truth: true }
    environment: { COUNT: 3, TRUTH: true }
    group_add: [7]
    expose: [90]`,
  confined: `
    security_opt: ["seccomp:./profile.json", "apparmor=unconfined"]
    pid: host
    uts: host
    ipc: shareable`,
  open: `
    security_opt: ["systempaths=unconfined", "seccomp=unconfined"]
    runtime: runc`,
  slow: `
    blkio_config: { weight: 300, device_read_bps: [{ path: /dev/null, rate: 12mb }], device_write_iops: [{ path: /dev/null, rate: 30 }] }
    cpu_period: 100000
    cpu_quota: 50000
    mem_limit: 50m
    memswap_limit: 60m
    mem_swappiness: 10
    oom_kill_disable: true
    cgroup_parent: tend-parent
    mac_address: 02:42:ac:11:65:43`,
  bound: `
    volumes:
      - { type: bind, source: ./folder, target: /flat, bind: { recursive: disabled } }
      - { type: bind, source: ./folder, target: /spread, bind: { propagation: rshared } }`,
  unhealthy: 'healthcheck: { disable: true }',
  host: 'network_mode: host',
  none: 'network_mode: none',
}

const yaml = `services:
${Object.entries(services)
  .map(([name, text]) => `  ${name}:\n    image: ${busybox}\n    ${text.trim()}\n`)
  .join('')}
volumes: { data: }
networks: { second: }
`

const profile = '{ "defaultAction": "SCMP_ACT_ALLOW" }\n'

for (const oracle of oracles) {
  const skip = required('dockerd') || oracle.skip
  const title = `a container is made as docker compose ${oracle.version} makes it`
  void test(title, { skip }, (t) => sameContainers(t, oracle))
}

/** Not as 5.5.1, on purpose: it sets no MAC address on an engine as old as this, and can't have it make a folder that it spreads. */
const betterThan5: readonly string[] = ['slow', 'bound']

async function sameContainers(t: TestContext, oracle: ComposeOracle): Promise<void> {
  const docker = await startDocker()
  t.after(() => docker.stop())
  await docker.addImage()
  const ours = driveStack(docker.socket, docker.root, 'ours')
  const theirs = driveStack(docker.socket, docker.root, 'theirs')
  for (const driver of [ours, theirs])
    driver.write({ 'folder/file': 'x', 'profile.json': profile, 'compose.yaml': yaml })
  create(oracle, docker.socket, theirs)
  const { version: composeVersion } = oracle
  await ours.up(yaml, { options: { waits: false }, input: { composeVersion } })
  for (const name of Object.keys(services)) {
    if (composeVersion === '5.5.1' && betterThan5.includes(name)) continue
    await t.test(name, async () => {
      const [mine, other] = [await sketch(ours, name), await sketch(theirs, name)]
      assert.deepEqual(mine, other)
    })
  }
  ours.close()
  theirs.close()
}

function create(oracle: ComposeOracle, socket: string, { folder, project }: StackDriver): void {
  const { status, stderr } = runCompose(oracle, ['-p', project, 'create'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, DOCKER_HOST: `unix://${socket}` },
  })
  assert.equal(status, 0, stderr)
}

/** Without what an engine fills in by itself, and with both projects called alike. */
async function sketch(driver: StackDriver, name: string): Promise<unknown> {
  const { project } = driver
  const found = await driver.inspect(`${project}-${name}-1`)
  const {
    Labels: labels,
    Volumes: _,
    AttachStdout: _1,
    AttachStderr: _2,
    ...config
  } = recordOf(found['Config'])
  const endpoints = recordOf(recordOf(found['NetworkSettings'])['Networks'])
  const kept = Object.entries(recordOf(labels)).filter(([key]) => !key.startsWith('tend/'))
  const text = JSON.stringify({
    config: { ...config, labels: Object.fromEntries(kept) },
    host: recordOf(found['HostConfig']),
    mounts: found['Mounts'],
    networks: Object.fromEntries(
      Object.entries(endpoints).map(([network, settings]) => {
        const { Aliases: aliases, IPAMConfig: ipam, Links: links } = recordOf(settings)
        return [network, { aliases, ipam, links }]
      }),
    ),
  })
  const own: Json = JSON.parse(
    text.replaceAll(`stack-${project}`, 'stack').replaceAll(project, 'project'),
  )
  return plain(own, textOf(found['Id']))
}

/** Order of lists means nothing here; empty and absent are alike; ids of containers are their own. */
function plain(value: Json, id: string): unknown {
  if (isList<Json>(value)) {
    const items = value
      .map((item) => plain(item, id))
      .filter((item) => item !== undefined && item !== 'ID')
    const sorted = items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    return sorted.length === 0 ? undefined : sorted
  }
  if (isRecord<Json>(value)) {
    const entries = Object.entries(value)
      .filter(([key]) => key !== 'com.docker.compose.config-hash')
      .map(([key, item]) => [key, plain(item, id)] as const)
      .filter(([, item]) => item !== undefined)
    return entries.length === 0 ? undefined : Object.fromEntries(entries)
  }
  if (value === null || value === '' || value === false || value === 0) return undefined
  return typeof value === 'string' && value.length >= 12 && id.startsWith(value) ? 'ID' : value
}

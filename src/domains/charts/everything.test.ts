/** A chart that uses every field: each one is known to the schema, and each one arrives in a spec. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readYaml } from '#formats/yaml/read-yaml.ts'
import { isList, isRecord } from '#model/json.ts'
import { directoryTree } from '#sources/directory.ts'
import { jsonSchema, schemaNames } from './json-schema.ts'
import { renderChart } from './render/render.ts'
import { input } from '../../../test/fake/chart.ts'

const everything = {
  ...input({}),
  tree: directoryTree('test/charts/everything'),
  namespace: 'space',
}
const rendered = renderChart(everything)

function specOf(ref: string): unknown {
  return rendered.resources.find((resource) => resource.ref === ref)?.spec
}

test('it has no problems', () => {
  assert.deepEqual(rendered.problems, [])
  assert.deepEqual(rendered.warnings, [
    'pod/group: annotations have no effect',
    'container/helper: containerPath is the old name of mountPath; write mountPath',
    'container/job: containerPath is the old name of mountPath; write mountPath',
  ])
})

test('it uses every field of every kind', () => {
  const used = new Set<string>()
  for (const { text } of rendered.manifests) {
    for (const { value } of readYaml(text).documents) {
      if (isRecord(value)) collect(value, String(value['kind']), used)
    }
  }
  const known = schemaNames.slice(1).flatMap((name) => [...fieldsOf(jsonSchema(name), name)])
  assert.ok(known.length > 100)
  const unused = known.filter((field) => !used.has(field))
  assert.deepEqual(
    unused.filter((field) => !field.includes('.metadata.')),
    [],
  )
})

test('every field has a description for editors', () => {
  const bare = schemaNames.flatMap((name) => [...undescribed(jsonSchema(name), name)])
  assert.deepEqual(bare, [])
})

test('every field of a container arrives in its spec', () => {
  assert.deepEqual(specOf('container/main'), {
    object: 'space-main',
    image: 'localhost/tend/busybox:1',
    imagePullPolicy: 'missing',
    command: ['/bin/sh'],
    args: ['-c', 'httpd -p 8080 -h /www; exec sleep 1000000'],
    env: {
      FROM_FILE: { sealed: 'container/main#env.FROM_FILE' },
      QUOTED: { sealed: 'container/main#env.QUOTED' },
      RAW: { sealed: 'container/main#env.RAW' },
      API_TOKEN: { sealed: 'container/main#env.API_TOKEN' },
      OVERRIDDEN: 'by env',
      GREETING: 'hello',
      NUMBER: '0644',
      TRUTH: 'true',
      DB_PASSWORD: { sealed: 'container/main#env.DB_PASSWORD' },
    },
    workingDir: '/bin',
    user: '1000:1001',
    groups: ['2000'],
    ports: [
      { containerPort: 8080, hostPort: 18099, protocol: 'tcp', hostIP: '127.0.0.1' },
      { containerPort: 9000, hostPort: 0, protocol: 'udp' },
    ],
    mounts: [
      { path: '/data', readOnly: false, from: { kind: 'named', volume: 'space-named' } },
      { path: '/flat', readOnly: true, from: { kind: 'named', volume: 'space-flat' } },
      {
        path: '/bound',
        readOnly: false,
        subPath: 'inner/part',
        seLinux: 'shared',
        from: { kind: 'host', path: '/tmp/tend-everything/bound', type: 'DirectoryOrCreate' },
      },
      {
        path: '/hosted',
        readOnly: false,
        seLinux: 'shared',
        uidMapping: { containerID: 0, hostID: 100000, size: 1000 },
        gidMapping: { containerID: 0, hostID: 100000, size: 1000 },
        from: { kind: 'host', path: '/tmp/tend-everything/hosted', type: 'DirectoryOrCreate' },
      },
      { path: '/scratch', readOnly: false, from: { kind: 'named', volume: 'space-scratch' } },
      { path: '/quick', readOnly: false, from: { kind: 'memory', size: '8Mi' } },
      { path: '/exchange', readOnly: false, from: { kind: 'named', volume: 'space-exchange' } },
      { path: '/cache', readOnly: false, from: { kind: 'memory' } },
      { path: '/tmp', readOnly: false, from: { kind: 'memory', size: '4Mi' } },
    ],
    networks: [
      { network: 'space-front', aliases: ['main'] },
      { network: 'space-back', aliases: ['main'] },
    ],
    secretEnv: {
      PASSWORD: { from: 'secret/login', output: 'PASSWORD' },
      USER: { from: 'secret/login', output: 'USER' },
    },
    secretFiles: [
      { object: { from: 'secret/login', output: 'PASSWORD' }, target: '/etc/login/PASSWORD' },
      { object: { from: 'secret/login', output: 'USER' }, target: '/etc/login/USER' },
      { object: { from: 'secret/cert', output: 'tls.crt' }, target: '/etc/cert.pem' },
    ],
    health: {
      test: ['CMD', 'true'],
      intervalSeconds: 10,
      timeoutSeconds: 5,
      startPeriodSeconds: 2,
      retries: 4,
    },
    capabilitiesAdd: ['NET_ADMIN', 'SYS_PTRACE'],
    capabilitiesDrop: ['MKNOD'],
    readOnlyRootFilesystem: true,
    sysctl: { 'net.ipv4.ip_unprivileged_port_start': '80' },
    memory: '64Mi',
    memoryReservation: '32Mi',
    cpu: '0.5',
    cpuReservation: '0.25',
    restartPolicy: 'on-failure',
    labels: { app: 'everything', tier: '1' },
    hostname: 'main-host',
    extraHosts: { 'db.example.org': '10.0.0.1' },
    ulimits: {
      core: { soft: 0, hard: 0 },
      nofile: { soft: 1024, hard: 1024 },
      nproc: { soft: 1024, hard: 1024 },
    },
    devices: [
      { host: '/dev/null', container: '/dev/nothing', permissions: 'rw' },
      { host: '/dev/zero', container: '/dev/nil', permissions: 'r' },
    ],
    stopSignal: 'SIGKILL',
    stopTimeoutSeconds: 1,
    logging: { driver: 'k8s-file', options: { 'max-size': '10m' } },
  })
})

test('what a container waits for', () => {
  const main = rendered.resources.find((resource) => resource.ref === 'container/main')
  assert.deepEqual(
    main?.needs.map(({ ref, until, renew }) => `${ref} ${until}${renew ? ' renew' : ''}`),
    [
      'network/front exists',
      'network/back exists',
      'volume/named exists renew',
      'volume/flat exists renew',
      'volume/bound exists renew',
      'volume/hosted exists renew',
      'volume/scratch exists renew',
      'volume/quick exists renew',
      'volume/exchange exists renew',
      'secret/login exists renew',
      'secret/cert exists renew',
      'container/helper started',
      'container/prober healthy',
      'container/job completed',
    ],
  )
})

test('the other kinds of checks, and where a secret goes that is not told', () => {
  const { health, secretFiles } = recordOf(specOf('container/prober'))
  assert.deepEqual(recordOf(health)['http'], { path: '/ok', port: 8000 })
  assert.deepEqual(secretFiles, [
    { object: { from: 'secret/outside', output: 'key' }, target: '/run/secrets/outside' },
  ])
  const [, text] = listOf(recordOf(recordOf(specOf('container/member'))['health'])['test'])
  assert.equal(
    text,
    "grep -qs ': [0-9A-F]*:1B59 [0-9A-F]*:0000 0A ' /proc/net/tcp /proc/net/tcp6 || { echo 'nothing listens on port 7001'; exit 1; }",
  )
})

test('networks, volumes and secrets', () => {
  assert.deepEqual(specOf('network/front'), {
    object: 'space-front',
    driver: 'bridge',
    subnet: '10.89.240.0/24',
    gateway: '10.89.240.254',
    options: { mtu: '1400' },
    labels: { app: 'everything', tier: '1' },
  })
  assert.deepEqual(specOf('volume/named'), {
    object: 'space-named',
    labels: { keep: 'yes' },
    owner: { user: 1000, group: 1001 },
    from: {
      kind: 'named',
      driver: 'local',
      options: { device: 'tmpfs', o: 'nodev', type: 'tmpfs' },
      isEphemeral: false,
    },
  })
  assert.deepEqual(specOf('volume/exchange'), {
    object: 'space-exchange',
    from: {
      kind: 'named',
      driver: 'local',
      options: { device: 'tmpfs', type: 'tmpfs' },
      isEphemeral: true,
    },
  })
  assert.deepEqual(specOf('secret/login'), {
    object: 'space-login',
    type: 'opaque',
    keys: {
      PASSWORD: { sealed: 'secret/login#PASSWORD' },
      USER: { sealed: 'secret/login#USER' },
    },
    labels: { app: 'everything', tier: '1' },
  })
  const opened = (id: string) => Buffer.from(rendered.vault.open({ sealed: id })).toString('utf8')
  assert.equal(opened('secret/login#PASSWORD'), 'hunter2')
  assert.equal(opened('secret/cert#tls.crt'), 'a certificate\n')
  assert.equal(opened('secret/outside#key'), 'from the environment')
  assert.equal(opened('container/main#env.API_TOKEN'), 'from-the-file')
})

test('a pod has the ports, networks and names of its members, and they have the pod', () => {
  const aliases = ['group', 'member', 'listed', 'first', 'second']
  assert.deepEqual(specOf('pod/group'), {
    object: 'space-group',
    hostname: 'group-host',
    ports: [
      { containerPort: 7000, hostPort: 0, protocol: 'tcp', hostIP: '127.0.0.1' },
      { containerPort: 7001, hostPort: 0, protocol: 'tcp' },
    ],
    networks: [
      { network: 'space-back', aliases },
      { network: 'space-front', aliases },
    ],
    sysctl: { 'net.core.somaxconn': '256' },
    extraHosts: { other: '10.0.0.3' },
  })
  const member = rendered.resources.find((resource) => resource.ref === 'container/member')
  assert.deepEqual(
    member?.needs.map(({ ref, until }) => `${ref} ${until}`),
    ['pod/group exists', 'container/first completed', 'container/second completed'],
  )
  const { restartPolicy, ports, networks, pod } = recordOf(member?.spec)
  assert.deepEqual([restartPolicy, ports, networks], ['always', [], []])
  assert.deepEqual(pod, { from: 'pod/group', output: 'object' })
  assert.equal(recordOf(specOf('container/listed'))['restartPolicy'], 'no')
  assert.equal(recordOf(specOf('container/second'))['init'], 'once')
})

test('nothing secret is in what is shown', () => {
  const shown = JSON.stringify([rendered.manifests, rendered.resources])
  for (const secret of ['hunter2', 'aHVudGVyMg', 'from-the-file', 'from the environment']) {
    assert.ok(!shown.includes(secret), secret)
  }
})

function recordOf(value: unknown): { readonly [key: string]: unknown } {
  return isRecord(value) ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return isList(value) ? value : []
}

function collect(value: unknown, path: string, used: Set<string>): void {
  if (isList(value)) for (const item of value) collect(item, `${path}[]`, used)
  if (!isRecord(value)) return
  for (const [key, item] of Object.entries(value)) {
    used.add(`${path}.${key}`)
    collect(item, `${path}.${key}`, used)
  }
}

/** Paths of all properties that a JSON Schema names; free maps end the walk. */
function* fieldsOf(schema: unknown, path: string): Generator<string> {
  const { properties, items, anyOf } = recordOf(schema)
  for (const [key, inner] of Object.entries(recordOf(properties))) {
    yield `${path}.${key}`
    yield* fieldsOf(inner, `${path}.${key}`)
  }
  if (items !== undefined) yield* fieldsOf(items, `${path}[]`)
  if (isList(anyOf)) for (const form of anyOf) yield* fieldsOf(form, path)
}

function* undescribed(schema: unknown, path: string): Generator<string> {
  const { properties, items, anyOf } = recordOf(schema)
  for (const [key, inner] of Object.entries(recordOf(properties))) {
    const isFrame = ['apiVersion', 'kind', 'metadata', 'spec'].includes(key)
    if (!isFrame && recordOf(inner)['description'] === undefined) yield `${path}.${key}`
    yield* undescribed(inner, `${path}.${key}`)
  }
  if (items !== undefined) yield* undescribed(items, `${path}[]`)
  if (isList(anyOf)) for (const form of anyOf) yield* undescribed(form, path)
}

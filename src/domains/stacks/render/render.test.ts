/** What a Compose project is turned into, and what is refused, by policy or because nobody can do it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowAll, denyAll, type Policy } from '#model/policy.ts'
import { stackHash } from '../marker.ts'
import { serviceSpecOf } from '../spec-of.ts'
import { loadOf, messages, renderText as render } from '../../../../test/fake/stack-text.ts'

test('what is wrong with the file is told with its place, and nothing comes of it', () => {
  const rendered = render('services:\n  web:\n    imagee: x\n')
  assert.equal(rendered.isIncomplete, true)
  assert.deepEqual(rendered.resources, [])
  const [problem] = rendered.problems
  assert.equal(problem?.type, 'configuration')
  assert.equal(problem.code, 'compose_error')
  assert.equal(problem.at?.line, 3)
})

test('what nobody here can do is an error that names it; what up passes over is a warning', () => {
  const rendered = render(`
services:
  web:
    image: x
    develop: { watch: [{ path: ., action: rebuild }] }
    deploy: { placement: { constraints: [a == b] }, update_config: { order: start-first, parallelism: 2 } }
    credential_spec: { file: a.json }
  app:
    build:
      context: https://example.com/repo.git
      ssh: [default]
    configs: [outer]
configs:
  outer: { external: true }
`)
  assert.deepEqual(messages(rendered), [
    "7: credential_spec can't be carried out here",
    "11: build.ssh can't be carried out here",
    "10: a context from elsewhere can't be carried out here",
    "14: configs.outer.external can't be carried out here",
  ])
  assert.deepEqual(rendered.warnings, [
    '/srv/shop/compose.yaml:6:15: deploy.placement has no effect here',
    '/srv/shop/compose.yaml:6:90: deploy.update_config.parallelism has no effect here',
  ])
})

test('options of a volume that mean nothing are told, as Compose itself does not', () => {
  const { warnings } = render(`
services:
  web:
    image: x
    volumes: ["data:/a:rx", "./b:/b:ro,cached", "data:/c:rw,nocopy", "./d:/d:Z,rshared"]
volumes: { data: }
`)
  assert.deepEqual(warnings, [
    '/srv/shop/compose.yaml:5:15: the option "rx" of the volume "data:/a:rx" has no effect',
    '/srv/shop/compose.yaml:5:29: the option "cached" of the volume "./b:/b:ro,cached" has no effect',
  ])
})

test('one port of the host is for one service; addresses, protocols and jobs that ended keep apart', () => {
  const yaml = `
services:
  web: { image: x, ports: ["80:80", "443:443", "127.0.0.1:9000:9000"] }
  too: { image: x, ports: ["127.0.0.1:80:8080", "443:443/udp", "127.0.0.2:9000:9000"] }
  same: { image: x, ports: ["70:1", "70:2"] }
  job: { image: x, ports: ["60:1"] }
  after: { image: x, ports: ["60:1"], depends_on: { job: { condition: service_completed_successfully } } }
  none: { image: x, ports: ["80:80"], scale: 0 }
  host: { image: x, ports: ["80:80"], network_mode: host }
`
  assert.deepEqual(messages(render(yaml)), [
    '4: port 80 of the host is published for web too',
    '5: port 70 of the host is published twice',
  ])
})

test('what only one container can have is refused to several', () => {
  const yaml = `
services:
  web: { image: x, ports: ["80:80", "90-99:90", "91"], container_name: mine }
  app: { image: x, networks: { default: { ipv4_address: 10.9.0.5 } } }
`
  assert.deepEqual(messages(render(yaml)), [])
  assert.deepEqual(messages(render(yaml, { scale: { web: 2, app: 3 } })), [
    '3: the name mine can be given to one container, and web has 2',
    '3: port 80 of the host can be given to one container, and web has 2',
    '4: the address 10.9.0.5 can be given to one container, and app has 3',
  ])
})

test('nothing is passed over in silence', () => {
  const { warnings, problems } = render(
    `
services:
  web:
    image: x
    pull_refresh_after: 1h
    cpu_count: 2
    security_opt: ["seccomp:./broken.json", "seccomp:../outside.json"]
    ports: [{ target: 80, name: http, app_protocol: http, mode: host }, "81:81"]
    volumes: [{ type: volume, source: data, target: /data, consistency: cached }]
    deploy:
      resources: { reservations: { cpus: "0.5", generic_resources: [{ discrete_resource_spec: { kind: gpu, value: 2 } }] } }
      restart_policy: { condition: on-failure, delay: 5s, window: 1m }
    configs: [site]
volumes: { data: }
configs: { site: { content: x, labels: { a: b } } }
`,
    { load: { ...loadOf({}), confinedTo: '/srv/shop' } },
    { 'broken.json': '{' },
  )
  assert.deepEqual(
    warnings.map((text) =>
      text.replace(/^.*compose.yaml:(\d+):\d+: (.*) has no effect here$/, '$1 $2'),
    ),
    [
      '6 cpu_count',
      '12 deploy.restart_policy.delay',
      '12 deploy.restart_policy.window',
      '11 deploy.resources.reservations.cpus',
      '11 deploy.resources.reservations.generic_resources',
      '9 volumes.consistency',
      '8 ports.name',
      '8 ports.app_protocol',
      '8 ports.mode',
      '5 pull_refresh_after',
      '15 configs.site.labels',
    ],
  )
  assert.deepEqual(
    problems.map(({ message }) => message),
    [
      'the seccomp profile ./broken.json is no JSON',
      'the seccomp profile ../outside.json is outside /srv/shop',
    ],
  )
})

const bold = `
services:
  web:
    image: x
    privileged: true
    pid: host
    cap_add: [NET_ADMIN]
    devices: [/dev/kvm]
    security_opt: [seccomp=unconfined]
    volumes:
      - /var/run/docker.sock:/sock
      - /etc:/host-etc
      - ./inside:/inside
      - disguised:/x
volumes:
  disguised: { driver_opts: { type: none, o: bind, device: /root } }
`

test('the policy is held against the merged model', () => {
  assert.deepEqual(messages(render(bold)), [])
  assert.deepEqual(messages(render(bold, { policy: denyAll })), [
    '5: web: privileged is denied by the policy',
    '7: web: cap_add NET_ADMIN is denied by the policy',
    '9: web: security_opt seccomp=unconfined is denied by the policy',
    '8: web: device /dev/kvm is denied by the policy',
    '6: web: pid: host is denied by the policy',
    '11: web: a mount of /var/run/docker.sock is denied by the policy',
    '11: web: a mount of /var/run/docker.sock is denied by the policy',
    '12: web: a mount of /etc is denied by the policy',
    '14: web: a mount of /root is denied by the policy',
  ])
  const some: Policy = { ...allowAll, privileged: 'warn', outsideBinds: 'deny' }
  const rendered = render(bold, {
    policy: { ...some, allowedRoots: ['/etc', '/var/run', '/root'] },
  })
  assert.deepEqual(messages(rendered), [])
  assert.match(rendered.warnings[0] ?? '', /:5:5: web: privileged: the policy warns of it/)
})

test('what is only spelt in another way is judged the same', () => {
  const sly = `
services:
  web:
    image: x
    build: { context: ., network: host }
    networks: [outer]
    volumes_from: ["container:other:ro"]
    security_opt: ["no-new-privileges:true", "seccomp=./mine.json", "label:type:spc_t", "no-new-privileges:false"]
    volumes:
      - /run/../var/run/docker.sock:/sock
      - /srv/shop/../other:/other
      - relative:/a
      - layers:/b
      - disk:/c
      - ram:/d
      - shared:/e
    pid: ns:/proc/1/ns/pid
networks: { outer: { name: host, external: true } }
volumes:
  relative: { driver_opts: { type: tmpfs, o: "rw,rbind", device: ../etc } }
  layers: { driver_opts: { type: overlay, o: "lowerdir=/etc,upperdir=/a,workdir=/b", device: overlay } }
  disk: { driver: local, driver_opts: { type: ext4, device: /dev/sda1 } }
  ram: { driver_opts: { type: tmpfs, device: tmpfs } }
  shared: { driver_opts: { type: nfs, o: "addr=10.0.0.1", device: ":/x" } }
`
  assert.deepEqual(
    messages(render(sly, { policy: denyAll }, { 'mine.json': '{}' })).map((text) =>
      text.replace(' is denied by the policy', ''),
    ),
    [
      '8: web: security_opt seccomp=./mine.json',
      '8: web: security_opt label:type:spc_t',
      '8: web: security_opt no-new-privileges:false',
      '17: web: pid: ns:/proc/1/ns/pid',
      '6: web: network host',
      '5: web: build.network: host',
      '10: web: a mount of /run/../var/run/docker.sock',
      '10: web: a mount of /run/../var/run/docker.sock',
      '11: web: a mount of /srv/shop/../other',
      '12: web: a volume of type tmpfs, device ../etc, mount options rw,rbind',
      '13: web: a volume of type overlay, device overlay, mount options lowerdir,upperdir,workdir',
      '14: web: a volume of type ext4, device /dev/sda1',
      '16: web: a volume of nfs :/x',
      '7: web: volumes of container:other',
    ],
  )
})

test('nobody can say in a file whose something is', () => {
  const rendered = render(`
services:
  web: { image: x, labels: { tend/owner: me, mine: yes }, build: { context: ., labels: [tend/build=1] } }
  odd: { image: x, volumes: [{ type: volume, target: /x, volume: { labels: { tend/marker: "true" } } }] }
volumes: { data: { labels: { tend/marker: "true" } } }
networks: { default: { labels: { tend/ref: network/other } } }
`)
  assert.deepEqual(
    messages(rendered).map((text) => text.replace(/ can't.*/, '')),
    ['3: label tend/owner', '3: label tend/build', '4: label tend/marker', '6: label tend/ref'],
  )
})

test('secrets are sealed: neither the spec nor the hash knows them', () => {
  const yaml = `
services:
  web:
    image: x
    environment: { DB_PASSWORD: s3cret, LEVEL: low }
    secrets: [token]
secrets: { token: { file: ./token } }
`
  const rendered = render(yaml, {}, { token: 't0ken' })
  const text = JSON.stringify(rendered.resources)
  assert.ok(!text.includes('s3cret') && !text.includes('t0ken'), text)
  const contents = [...rendered.vault.contents().values()].map((bytes) =>
    String(Buffer.from(bytes)),
  )
  assert.deepEqual(contents, ['s3cret', 't0ken'])
  const other = render(yaml, {}, { token: 'another' })
  assert.notEqual(stackHash(other), stackHash(rendered))
  assert.equal(stackHash(render(yaml, { revision: 'r2' }, { token: 't0ken' })), stackHash(rendered))
})

test('replicas, needs and names', () => {
  const rendered = render(`
name: shop
services:
  web:
    image: x
    scale: 2
    depends_on: { db: { condition: service_healthy, required: false } }
    volumes: ["data:/data"]
  db: { image: y, container_name: the-db }
volumes: { data: { name: elsewhere } }
`)
  const refs = rendered.resources.map(({ ref }) => ref)
  assert.deepEqual(refs, [
    'network/default',
    'volume/data',
    'container/web-1',
    'container/web-2',
    'container/db-1',
  ])
  const web = rendered.resources.find(({ ref }) => ref === 'container/web-2')!
  assert.deepEqual(web.needs, [
    { ref: 'network/default', until: 'exists', renew: false },
    { ref: 'volume/data', until: 'exists', renew: true },
    { ref: 'container/db-1', until: 'healthy', renew: false, isOptional: true },
  ])
  const spec = serviceSpecOf(web.spec)
  assert.equal(spec.object, 'shop-web-2')
  assert.deepEqual(spec.networks, [{ network: 'shop_default', aliases: ['shop-web-2', 'web'] }])
  assert.deepEqual(spec.mounts[0]?.from, { kind: 'volume', volume: 'elsewhere' })
  const db = rendered.resources.find(({ ref }) => ref === 'container/db-1')!
  assert.equal(serviceSpecOf(db.spec).object, 'the-db')
  assert.equal(serviceSpecOf(db.spec).awaited, 'healthy')
})

test('a path in the container that is not absolute is refused, with what was meant', () => {
  const rendered = render(
    'services:\n  web:\n    image: x\n    volumes: ["d:/d"]\nvolumes: { d: }\n',
  )
  assert.deepEqual(messages(rendered), [
    `4: the volume's path "d:/d" in the container is not absolute`,
  ])
  assert.match(rendered.problems[0]?.suggestion ?? '', /source: d, target: \/d/)
})

test('names and places that an engine would refuse are refused with their line, before anything is made', () => {
  for (const own of ['/xy', 'ab/cd', '-xy', 'ab cd', 'ab?c']) {
    const found = messages(render(`services:\n  web:\n    image: x\n    container_name: "${own}"`))
    assert.deepEqual(found, [`4: container_name ${JSON.stringify(own)} is no name of a container`])
  }
  for (const target of ['/', '//', '/.', '/a/..', '/./']) {
    const found = messages(
      render(
        `services:\n  web:\n    image: x\n    volumes: ["data:${target}"]\nvolumes: { data: {} }`,
      ),
    )
    const said = "4: a volume can't be mounted in the place of the container's whole root"
    assert.deepEqual(found, [said], target)
  }
  const fine =
    'services: { web: { image: x, container_name: a.B_c-1, volumes: ["data:/a"] } }\nvolumes: { data: {} }'
  assert.deepEqual(messages(render(fine)), [])
})

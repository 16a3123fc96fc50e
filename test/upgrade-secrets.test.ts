/** What counts as a secret is more than it was. What an earlier version recorded of the same files is unchanged all the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderChart } from '#domains/charts/render/render.ts'
import { input, manifest } from './fake/chart.ts'
import { changesOf } from '#domains/stacks/compare/compare.ts'
import { serviceSpecOf } from '#domains/stacks/spec-of.ts'
import { diffValue } from '#engine/diff/diff.ts'
import type { Json } from '#model/json.ts'
import { allowAll } from '#model/policy.ts'
import type { Present } from '#model/resource.ts'
import { isSealed, mapValue, settled, type Value } from '#model/value.ts'
import { renderText } from './fake/stack-text.ts'

const yaml = `
services:
  web:
    image: app:\${TAG}
    command: [serve, "--hook=\${SLACK_WEBHOOK_URL}"]
    env_file: [web.env]
    hostname: \${HOST_PW}
    labels: { dsn: "Server=db;Pwd=hunter2x" }
    environment: { JWT: "\${JWT}", COLOUR: blue, DB_PASSWORD: "\${DB_PASSWORD}" }
`
const files = {
  '.env': [
    'TAG=1.2',
    'SLACK_WEBHOOK_URL=https://hooks.slack.com/services/T0/B0/abcdefgh',
    'JWT=one.two.three',
    'DB_PASSWORD=swordfish',
    'HOST_PW=sesame-host',
    '',
  ].join('\n'),
  'web.env': 'TZ=Europe/Berlin\nSMTP_PW=open-sesame\n',
}

/** As the version before wrote it on the container. */
const recorded: Json = {
  object: 'shop-web-1',
  image: 'app:1.2',
  pullPolicy: 'missing',
  service: {
    command: ['serve', '--hook=https://hooks.slack.com/services/T0/B0/abcdefgh'],
    hostname: 'sesame-host',
    labels: { dsn: 'Server=db;Pwd=hunter2x' },
    environment: {
      JWT: 'one.two.three',
      COLOUR: 'blue',
      DB_PASSWORD: {
        digest: 'dcd021499704f27d:9b4c9d55fd0fe1f99cc23fe59b364c5db89e4709345c8fdf55d99920033e61e0',
      },
      TZ: 'Europe/Berlin',
      SMTP_PW: 'open-sesame',
    },
  },
  mounts: [],
  files: [],
  contents: {},
  joins: {},
  volumesFrom: [],
  networks: [{ network: 'shop_default', aliases: ['shop-web-1', 'web'] }],
}

function seen(spec: Json): Present {
  return {
    kind: 'present',
    recorded: { hash: '', spec, needs: [] },
    live: {},
    outputs: {},
    spares: [],
  }
}

function web(more: Partial<typeof files> = {}, policy = {}) {
  const rendered = renderText(yaml, policy, { ...files, ...more })
  const resource = rendered.resources.find(({ ref }) => ref === 'container/web-1')!
  return { resource, vault: rendered.vault }
}

test('a stack of the version before is unchanged, and its values are shown no more', () => {
  const { resource, vault } = web()
  assert.deepEqual(changesOf(resource, seen(recorded), vault), [])
  const told = JSON.stringify(resource.spec)
  const secrets = ['hooks.slack', 'one.two', 'swordfish', 'sesame', 'hunter2x', 'Europe/Berlin']
  for (const secret of secrets) assert.ok(!told.includes(secret), secret)
  assert.ok(told.includes('app:1.2') && told.includes('blue'))
})

test('what docker compose hashes is not touched by it', () => {
  const { about } = serviceSpecOf(web().resource.spec)
  assert.equal(about.configHash, '1c59dc5c2ffab07455e3a81412d7b523195acb7ea43e9ddb8e5da9a9a4b9f0c8')
  const former = '827a466af346927d59b9f43f8992b386f1da763b6f0207140199f32ce17b7d2d'
  assert.deepEqual(about.otherHashes, [former])
})

test('a change of such a value is a change, and neither side is shown', () => {
  const { resource, vault } = web({ 'web.env': 'TZ=Europe/Rome\nSMTP_PW=open-sesame\n' })
  assert.deepEqual(changesOf(resource, seen(recorded), vault), [
    { path: 'environment.TZ', from: '******', to: '******' },
  ])
})

test('what is sealed now and shown later, on the operator’s word, is unchanged too', () => {
  const sealed = web()
  const record = settled(
    mapValue(sealed.resource.spec, (leaf) =>
      isSealed(leaf) ? { digest: sealed.vault.digest(leaf) } : '',
    ),
  )
  const { resource, vault } = web({}, { policy: { ...allowAll, harmlessVariables: ['T*'] } })
  assert.ok(JSON.stringify(resource.spec).includes('Europe/Berlin'))
  assert.ok(!JSON.stringify(resource.spec).includes('open-sesame'))
  assert.deepEqual(changesOf(resource, seen(record), vault), [])
})

test('a chart of the version before is unchanged, and its values are shown no more', () => {
  const spec =
    'image: x:1\nenvFile: web.env\nargs: ["--pw={{ .Values.db.password }}"]\nenv:\n  - { name: JWT, value: "one.two.three" }\n'
  const { resources, vault, problems, manifests } = renderChart(
    input({
      'values.yaml': 'db: { password: open-sesame }\n',
      'web.env': 'TZ=Europe/Berlin\n',
      'templates/web.yaml': manifest('CuteContainer', 'web', spec),
    }),
  )
  assert.deepEqual(problems, [])
  const before: Json = {
    object: 'web',
    image: 'x:1',
    imagePullPolicy: 'missing',
    args: ['--pw=open-sesame'],
    env: { TZ: 'Europe/Berlin', JWT: 'one.two.three' },
    ports: [],
    mounts: [],
    networks: [],
    secretEnv: {},
    secretFiles: [],
    restartPolicy: 'no',
  }
  assert.deepEqual(diffValue(resources[0]!.spec, before, vault), [])
  const told = JSON.stringify([resources[0]!.spec satisfies Value, manifests])
  for (const secret of ['sesame', 'one.two', 'Berlin']) assert.ok(!told.includes(secret), secret)
})

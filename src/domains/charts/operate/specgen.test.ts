import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOf, cpusOf } from './quantities.ts'
import { signalNumber, specgen } from './specgen.ts'
import type { SettledContainer } from '../spec-of.ts'

const bare: SettledContainer = {
  object: 'web',
  image: 'nginx',
  imagePullPolicy: 'missing',
  env: {},
  ports: [],
  mounts: [],
  networks: [],
  secretEnv: {},
  secretFiles: [],
  restartPolicy: 'always',
}
const given = {
  name: 'web',
  labels: { a: 'b' },
  mounts: { volumes: [], mounts: [] },
  user: undefined,
  folder: undefined,
  hosts: undefined,
  open: () => 'opened',
}

test('what is not asked for is not said', () => {
  assert.deepEqual(specgen(bare, given), {
    name: 'web',
    image: 'nginx',
    labels: { a: 'b' },
    env: {},
    secret_env: {},
    restart_policy: 'always',
    mounts: [],
    volumes: [],
    secrets: [],
  })
})

test('a bridge is named when there are networks: rootless would take another way', () => {
  const made = specgen({ ...bare, networks: [{ network: 'net', aliases: ['web'] }] }, given)
  assert.deepEqual(made['netns'], { nsmode: 'bridge' })
  assert.deepEqual(made['Networks'], { net: { aliases: ['web'] } })
})

test('a member of a pod says nothing of networks, ports and host names', () => {
  const ports = [{ containerPort: 80, hostPort: 8080, protocol: 'tcp' }] as const
  const made = specgen(
    { ...bare, pod: 'app', ports, hostname: 'x', networks: [{ network: 'n', aliases: [] }] },
    given,
  )
  assert.equal(made['pod'], 'app')
  for (const field of ['netns', 'Networks', 'portmappings', 'hostname'])
    assert.ok(!(field in made), field)
})

test('secrets are opened only into the environment', () => {
  const made = specgen({ ...bare, env: { PLAIN: 'x', TOKEN: { sealed: 'id' } } }, given)
  assert.deepEqual(made['env'], { PLAIN: 'x', TOKEN: 'opened' })
})

test('times are nanoseconds, and none is left to a default', () => {
  const health = {
    test: ['CMD', 'true'],
    intervalSeconds: 1,
    timeoutSeconds: 2,
    startPeriodSeconds: 0,
    retries: 3,
  }
  assert.deepEqual(specgen({ ...bare, health }, given)['healthconfig'], {
    Test: ['CMD', 'true'],
    Interval: 1e9,
    Timeout: 2e9,
    StartPeriod: 0,
    Retries: 3,
  })
})

test('init containers end, whatever the policy of the others', () => {
  const once = specgen({ ...bare, pod: 'app', init: 'once' }, given)
  assert.deepEqual([once['restart_policy'], once['init_container_type']], ['no', undefined])
  assert.equal(
    specgen({ ...bare, pod: 'app', init: 'always' }, given)['init_container_type'],
    'always',
  )
})

test('quantities and signals', () => {
  assert.deepEqual(
    ['64Mi', '1Gi', '1k', '10m', '1.5Gi', '7'].map(bytesOf),
    [67108864, 1073741824, 1000, 10485760, 1610612736, 7],
  )
  assert.deepEqual(['0.5', '250m', '2'].map(cpusOf), [0.5, 0.25, 2])
  assert.deepEqual(['SIGTERM', 'usr1', '9'].map(signalNumber), [15, 10, 9])
  assert.throws(() => bytesOf('much'))
})

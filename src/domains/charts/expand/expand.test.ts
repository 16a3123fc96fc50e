/** Wanted and seen in, the plan's canonical text out: every road of every kind, without a Podman. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planOf } from '#engine/plan/plan.ts'
import { hashOf, type Json } from '#model/json.ts'
import type { Plan } from '#model/plan.ts'
import type { Need, Observed, Resource } from '#model/resource.ts'
import { isLater, isSealed, mapValue, settled, type Value } from '#model/value.ts'
import { vaultOf } from '#model/vault.ts'
import { chartsKind } from '../domain.ts'
import type { ContainerSpec } from '../spec.ts'
import { planText } from '../../../../test/testbed/plan-text.ts'

const vault = vaultOf(new Map([['a', Buffer.from('hush')]]), new Uint8Array([1]))
const otherVault = vaultOf(new Map([['a', Buffer.from('changed')]]), new Uint8Array([1]))
const identity = {
  owner: 'here:chart:app',
  application: { kind: 'chart', namespace: null, name: 'app' },
  version: '1',
  revision: 'r',
  since: 0,
} as const

function resource(ref: string, spec: Value, needs: readonly Need[] = []): Resource {
  return { ref, spec, needs, origin: { file: 'f', line: 1, column: 1 }, problems: [] }
}

function container(
  name: string,
  more: Partial<ContainerSpec> = {},
  needs: readonly Need[] = [],
): Resource {
  const spec: ContainerSpec = {
    object: name,
    image: 'localhost/app:1',
    imagePullPolicy: 'missing',
    env: {},
    ports: [],
    mounts: [],
    networks: [],
    secretEnv: {},
    secretFiles: [],
    restartPolicy: 'always',
    ...more,
  }
  return resource(`container/${name}`, spec, needs)
}

const outputs: Readonly<Record<string, string>> = {
  'secret/login password': 'login',
  'pod/app object': 'app',
}

/** As it would be seen if it ran as wanted. */
function running(
  wanted: Resource,
  live: Record<string, Json> = {},
  spares: readonly string[] = [],
): readonly [string, Observed] {
  const spec = settled(
    mapValue(wanted.spec, (leaf) => {
      if (isSealed(leaf)) return { digest: vault.digest(leaf) }
      return isLater(leaf) ? (outputs[`${leaf.from} ${leaf.output}`] ?? '') : leaf
    }),
  )
  const name = wanted.ref.slice(wanted.ref.indexOf('/') + 1)
  const whole = {
    id: `${name}-id`,
    name,
    state: 'running',
    infraState: 'running',
    infraId: 'infra-id',
    hasObject: true,
    objects: { password: 'login' },
    ...live,
  }
  return [
    wanted.ref,
    {
      kind: 'present',
      recorded: { hash: hashOf(spec), spec, needs: wanted.needs },
      outputs: { object: name, password: 'login' },
      live: whole,
      spares,
    },
  ]
}

function plan(
  wanted: readonly Resource[],
  seen: readonly (readonly [string, Observed])[],
  more: { readonly vault?: typeof vault; readonly recreateVolumes?: boolean } = {},
): Plan {
  return planOf({
    rendered: {
      resources: wanted,
      problems: [],
      warnings: [],
      isIncomplete: false,
      version: '1',
      vault: more.vault ?? vault,
    },
    world: new Map(seen),
    kind: chartsKind,
    identity,
    allowed: { recreateVolumes: more.recreateVolumes ?? false, pruneVolumes: false },
  })
}

function reads(actual: Plan, expected: string): void {
  const lines = expected.split('\n').map((line) => line.replace(/^ {4}/, ''))
  assert.deepEqual(planText(actual).split('\n'), lines.slice(1, -1))
}

const port = (hostPort: number) => ({ containerPort: 80, hostPort, protocol: 'tcp' }) as const
const attached = { networks: [{ network: 'net', aliases: ['web'] }] }

test('made', () => {
  reads(
    plan([container('web')], []),
    `
    create container/web: it does not exist
      prepare image.pull
      make container.create
      make container.start
      undo container.remove
      until started
    `,
  )
})

test('the same, whatever the pull policy', () => {
  assert.equal(
    planText(plan([container('web', { imagePullPolicy: 'always' })], [running(container('web'))])),
    'unchanged container/web',
  )
})

test('with a host port: the old one waits under another name', () => {
  reads(
    plan(
      [container('web', { ports: [port(81)] })],
      [running(container('web', { ports: [port(80)] }))],
    ),
    `
    replace container/web: ports[81/tcp] and ports[80/tcp] changed
      ports[81/tcp]: (none) → 81:80/tcp
      ports[80/tcp]: 80:80/tcp → (none)
      prepare image.pull
      prepare container.rehearse
      make container.create
      make container.stop !
      make container.rename
      make container.rename
      make container.start
      finish container.remove
      undo container.remove
      undo container.remove
      undo container.rename
      undo container.start
      until started
    `,
  )
})

test('with nothing in common: side by side', () => {
  const old = container('web', attached)
  reads(
    plan([container('web', { ...attached, memory: '1Gi' })], [running(old, { networks: ['net'] })]),
    `
    replace container/web: memory changed
      memory: (none) → 1Gi
      prepare image.pull
      make container.create
      make container.start
      finish network.disconnect
      finish network.connect
      finish container.rename
      finish container.rename
      finish network.unname
      finish container.drain
      finish container.remove
      undo container.remove
      until started
    `,
  )
})

const shared = [
  [
    'a writable volume',
    { mounts: [{ path: '/d', readOnly: false, from: { kind: 'named', volume: 'v' } }] },
  ],
  [
    'a writable path',
    {
      mounts: [
        { path: '/d', readOnly: false, from: { kind: 'host', path: '/p', type: 'Directory' } },
      ],
    },
  ],
  ['a device', { devices: [{ host: '/dev/x', container: '/dev/x', permissions: 'rw' }] }],
  ['a host port', { ports: [port(80)] }],
] as const
for (const [what, spec] of shared) {
  test(`never side by side with ${what}`, () => {
    const seen = running(container('web', { ...attached, ...spec }), { networks: ['net'] })
    const [group] = plan([container('web', { ...attached, ...spec, memory: '1Gi' })], [seen]).groups
    assert.ok(group!.make.some(({ disrupts }) => disrupts))
  })
}

test('a read-only volume may be shared', () => {
  const mounts = [{ path: '/d', readOnly: true, from: { kind: 'named', volume: 'v' } }] as const
  const seen = running(container('web', { ...attached, mounts }), { networks: ['net'] })
  const [group] = plan([container('web', { ...attached, mounts, memory: '1Gi' })], [seen]).groups
  assert.ok(group!.make.every(({ disrupts }) => !disrupts))
})

const drifts = [
  ['stopped', { state: 'exited', exitCode: 1 }, ['container.start']],
  ['paused', { state: 'paused' }, ['container.unpause']],
  ['never started', { state: 'created' }, ['container.start']],
  ['renamed', { name: 'other' }, ['container.rename']],
  ['off its network', { networks: [] }, ['network.connect']],
  ['of an older image', { imageId: 'a', tagId: 'b' }, undefined],
] as const
for (const [what, live, verbs] of drifts) {
  test(`drift: ${what}`, () => {
    const wanted = container('web', { ...attached, ports: [port(80)] })
    const [group] = plan([wanted], [running(wanted, { networks: ['net'], ...live })]).groups
    assert.equal(group!.step, verbs === undefined ? 'replace' : 'update')
    if (verbs !== undefined)
      assert.deepEqual(
        group!.make.map(({ verb }) => verb),
        verbs,
      )
  })
}

test('jobs that ended well are no drift; services and failed jobs are', () => {
  const ended = (restartPolicy: ContainerSpec['restartPolicy'], exitCode: number) => {
    const wanted = container('job', { restartPolicy })
    return plan([wanted], [running(wanted, { state: 'exited', exitCode })]).groups.length
  }
  assert.deepEqual(
    [ended('no', 0), ended('on-failure', 0), ended('always', 0), ended('no', 1)],
    [0, 0, 1, 1],
  )
})

test('a changed secret: made beside, its user renewed and tried out once it is there, nothing shown', () => {
  const need = { ref: 'secret/login', until: 'exists', renew: true } as const
  const wanted = [
    resource('secret/login', {
      object: 'login',
      type: 'opaque',
      keys: { password: { sealed: 'a' } },
    }),
    container('web', { secretEnv: { P: { from: 'secret/login', output: 'password' } } }, [need]),
  ]
  const made = plan(
    wanted,
    wanted.map((each) => running(each)),
    { vault: otherVault },
  )
  reads(
    made,
    `
    replace secret/login: keys.password changed
      keys.password: ****** → ******
      make secret.create
      finish secret.remove
      undo secret.remove
    replace container/web: secretEnv.P changed
      secretEnv.P: login → (known after apply)
      prepare image.pull
      prepare container.rehearse after secret/login
      make container.create
      make container.stop !
      make container.rename
      make container.rename
      make container.start
      finish container.remove
      undo container.remove
      undo container.remove
      undo container.rename
      undo container.start
      until started
    `,
  )
  assert.doesNotMatch(JSON.stringify(made), /hush|"changed"/)
})

test('a changed network: everyone off, made anew, everyone on; and the same way back', () => {
  const old = resource('network/net', { object: 'net', driver: 'bridge' })
  const web = container('web', attached, [{ ref: 'network/net', until: 'exists', renew: false }])
  const seen = [
    running(old, { attached: ['web-id', 'stranger'] }),
    running(web, { networks: ['net'] }),
  ]
  reads(
    plan(
      [resource('network/net', { object: 'net', driver: 'bridge', subnet: '10.1.0.0/24' }), web],
      seen,
    ),
    `
    replace network/net: subnet changed
      subnet: (none) → 10.1.0.0/24
      make network.disconnect !
      make network.disconnect !
      make network.remove !
      make network.create
      make network.connect
      make network.connect
      undo network.disconnect !
      undo network.disconnect !
      undo network.remove
      undo network.create
      undo network.connect
      undo network.connect
    unchanged container/web
    `,
  )
})

test('a changed pod: its members follow, and the old pod starts them again', () => {
  const pod = (hostname: string) =>
    resource('pod/app', { object: 'app', ports: [port(80)], networks: [], hostname })
  const web = container('web', { pod: { from: 'pod/app', output: 'object' } }, [
    { ref: 'pod/app', until: 'exists', renew: true },
  ])
  const seen = [running(pod('one'), { running: ['web-id'] }), running(web, { pod: 'app' })]
  const [first, second] = plan([pod('two'), web], seen).groups
  assert.deepEqual(
    first!.make.map(({ words }) => words.replace(/-[0-9a-f]{6}/, '-SIX')),
    ['Creating pod app-SIX', 'Stopping pod app'],
  )
  assert.deepEqual(
    first!.undo.map(({ verb }) => verb),
    ['pod.remove', 'container.start', 'container.start'],
  )
  assert.deepEqual(first!.finish[0]!.after, ['container/web'])
  assert.ok(!second!.undo.some(({ verb }) => verb === 'container.start'))
  assert.deepEqual(
    second!.prepare.flatMap(({ after }) => after),
    [],
  )
})

test('a changed volume: refused; allowed, its users go with it', () => {
  const old = resource('volume/data', {
    object: 'data',
    from: { kind: 'named', driver: 'local', isEphemeral: false },
  })
  const changed = resource('volume/data', {
    object: 'data',
    from: { kind: 'named', driver: 'other', isEphemeral: false },
  })
  const mounts = [{ path: '/d', readOnly: false, from: { kind: 'named', volume: 'data' } }] as const
  const db = container('db', { mounts }, [{ ref: 'volume/data', until: 'exists', renew: true }])
  const seen = [running(old), running(db)]
  const refused = plan([changed, db], seen)
  assert.deepEqual(
    refused.skipped.map(({ problem }) => problem.code),
    ['volume_changed', 'needs_failed'],
  )
  const [volume, user] = plan([changed, db], seen, { recreateVolumes: true }).groups
  assert.deepEqual(
    volume!.make.map(({ verb }) => verb),
    ['container.remove', 'volume.remove', 'volume.create'],
  )
  assert.deepEqual(
    [user!.make.map(({ verb }) => verb), volume!.undo],
    [['container.create', 'container.start'], []],
  )
})

test('orphans: users before what they use, data stays', () => {
  const net = resource('network/net', { object: 'net', driver: 'bridge' })
  const data = resource('volume/data', {
    object: 'data',
    from: { kind: 'named', driver: 'local', isEphemeral: false },
  })
  const web = container('web', attached, [{ ref: 'network/net', until: 'exists', renew: false }])
  const made = plan([], [running(net), running(data), running(web)])
  assert.deepEqual(
    made.groups.map(({ ref }) => ref),
    ['container/web', 'network/net'],
  )
  assert.deepEqual(
    made.kept.map(({ ref }) => ref),
    ['volume/data'],
  )
})

test('a port that an orphan holds is freed first, and given back on failure', () => {
  const seen = running(container('old', { ports: [port(80)] }), {
    ports: [{ hostPort: 80, protocol: 'tcp', hostIP: '' }],
  })
  const [group] = plan([container('new', { ports: [port(80)] })], [seen]).groups
  assert.deepEqual(
    group!.make.map(({ verb }) => verb),
    ['container.create', 'container.stop', 'container.start'],
  )
  assert.deepEqual(
    group!.undo.map(({ verb }) => verb),
    ['container.remove', 'container.start'],
  )
})

test('spares: cleared where nothing changed, and an old one stands ready to come back', () => {
  const wanted = container('web')
  const [group] = plan([wanted], [running(wanted, {}, ['web-prev-abcdef old-id exited'])]).groups
  assert.deepEqual(
    group!.finish.map(({ payload }) => payload),
    [{ name: 'old-id', seconds: 10 }],
  )
  assert.deepEqual(
    group!.undo.map(({ verb }) => verb),
    ['container.remove', 'container.rename', 'container.start'],
  )
})

test('commands are what a person would type, without secrets', () => {
  const wanted = container('web', {
    ...attached,
    ports: [port(80)],
    env: { A: 'b c', TOKEN: { sealed: 'a' } },
    args: ['sh', '-c', 'x y'],
  })
  const create = plan([wanted], []).groups[0]!.make[0]!
  assert.equal(
    create.command,
    "podman create --name web --network net:alias=web -p 80:80 -e A='b c' -e TOKEN=****** --restart always localhost/app:1 sh -c 'x y'",
  )
})

test('host ports that nobody here holds are looked at before a container is made', () => {
  const ports = [{ containerPort: 80, hostPort: 8085, protocol: 'tcp' }] as const
  const wanted = container('web', { ports })
  const rendered = { resources: [wanted], problems: [], warnings: [], isIncomplete: false }
  const plan = planOf({
    rendered: { ...rendered, version: '1', vault },
    world: new Map([[wanted.ref, { kind: 'absent' }]]),
    kind: chartsKind,
    identity,
    allowed: { recreateVolumes: false, pruneVolumes: false },
  })
  const [pull] = plan.groups[0]!.prepare
  assert.match(JSON.stringify(pull?.payload), /"ports":\[\{.*"hostPort":8085/)
})

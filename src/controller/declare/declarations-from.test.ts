/** tend.yaml: what it says, and everything that can be wrong with it, at its place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Declarations } from '#model/declaration.ts'
import { denyAll } from '#model/policy.ts'
import { placeText } from '#model/problem.ts'
import { loadDeclarations } from '#kinds/all.ts'
import { declarationsFrom } from './declarations-from.ts'
import { declarationSchema } from './json-schema.ts'

const kinds = await loadDeclarations()

function told(...texts: readonly string[]): readonly string[] {
  const files = texts.map((text, index) => ({ path: `/etc/tend/${'ab'[index]}.yaml`, text }))
  return declarationsFrom({ files, environment: {}, kinds }).problems.map(
    ({ at, message, suggestion }) =>
      `${at === undefined ? '' : placeText(at).replace('/etc/tend/', '')} ${message}${suggestion ? ` | ${suggestion}` : ''}`,
  )
}

function declared(...texts: readonly string[]): Declarations {
  assert.deepEqual(told(...texts), [])
  const files = texts.map((text, index) => ({ path: `/etc/tend/${'ab'[index]}.yaml`, text }))
  return declarationsFrom({ files, environment: {}, kinds }).declarations!
}

const everything = `
sources:
  shop:
    git: https://example.org/shop.git
    ref: main
    token: {file: secrets/token}
  own:
    git: git@example.org:own.git
    ref: v1.2.3
    ssh: {key: {file: /run/key}, knownHosts: {variable: HOSTS}}
    submodules: true
  here: {directory: ./stacks}
defaults:
  interval: 5m
  timeout: 90s
apps:
  - stack: web
    source: shop
    path: ./web/
    files: [compose.yaml, compose.prod.yaml]
    profiles: [front]
    values: {MODE: 0644, DEBUG: true, EMPTY: , NAME: x}
    target: unix:///run/podman/podman.sock
    interval: off
    suspended: true
    prune: false
    drift: flag
    rollback: never
    windows: [{schedule: 0 2 * * *, duration: 2h, timezone: Europe/Berlin}]
    dependsOn: [chart:staging/db]
    concurrency: 2
    security: {privileged: allow, capabilities: warn, allowedRoots: [/srv], shared: [network/proxy]}
  - chart: db
    namespace: staging
    source: own
    values: {a: {b: null, c: 1}}
discover:
  - source: here
    path: deploy
    depth: 2
    include: ['shop/**']
    exclude: [old]
    prefix: shop-
    removeGone: true
    security: warn
concurrency: 4
sync: false
listen: {address: 0.0.0.0:9000, open: true, hosts: [cd.example.org]}
hooks:
  - {kind: github, secret: {variable: HOOK}, source: shop}
  - {kind: generic, open: true}
alerts:
  failures: 2
  after: 1m
  channels:
    - {kind: slack, url: {file: slack}}
    - {kind: email, name: mail, url: smtps://mail.example.org, from: a@x.org, to: [b@x.org, c@x.org], user: me, secret: {file: /run/p}}
commitStatus:
  - {kind: github, repository: shop/web, token: {variable: T}}
log: {level: debug, format: json}
hostFiles: /srv/tend
`

test('everything that can be said is understood', () => {
  const { apps, discoveries, ...rest } = declared(everything)
  const [web, db] = apps
  assert.deepEqual(web, {
    application: { kind: 'stack', namespace: null, name: 'web' },
    source: {
      kind: 'git',
      url: 'https://example.org/shop.git',
      ref: 'main',
      credential: {
        kind: 'token',
        user: 'x-access-token',
        from: { file: '/etc/tend/secrets/token' },
      },
      submodules: false,
    },
    path: 'web',
    files: ['compose.yaml', 'compose.prod.yaml'],
    profiles: ['front'],
    values: { MODE: '0644', DEBUG: 'true', EMPTY: '', NAME: 'x' },
    target: 'unix:///run/podman/podman.sock',
    policy: {
      interval: 0,
      suspended: true,
      prune: false,
      drift: 'flag',
      flagsEverything: false,
      rollback: 'never',
      windows: [
        { schedule: '0 2 * * *', duration: 7_200_000, timezone: 'Europe/Berlin', action: 'allow' },
      ],
      dependsOn: ['chart:staging/db'],
      timeout: 90_000,
      concurrency: 2,
      security: {
        ...denyAll,
        privileged: 'allow',
        capabilities: 'warn',
        containedCapabilities: 'warn',
        allowedRoots: ['/srv'],
        shared: ['network/proxy'],
      },
    },
    at: { file: '/etc/tend/a.yaml', line: 17, column: 5 },
  })
  assert.deepEqual(db?.values, { a: { b: null, c: 1 } })
  assert.equal(db?.policy.interval, 300_000)
  assert.deepEqual(db?.policy.security, denyAll)
  assert.deepEqual(db?.source, {
    kind: 'git',
    url: 'git@example.org:own.git',
    ref: 'v1.2.3',
    credential: { kind: 'ssh', key: { file: '/run/key' }, knownHosts: { variable: 'HOSTS' } },
    submodules: true,
  })
  const [found] = discoveries
  assert.deepEqual(
    { ...found, policy: found?.policy.security.privileged },
    {
      name: 'here/deploy',
      source: { kind: 'directory', path: '/etc/tend/stacks' },
      path: 'deploy',
      depth: 2,
      include: ['shop/**'],
      exclude: ['old'],
      prefix: 'shop-',
      target: undefined,
      values: {},
      policy: 'warn',
      removesGone: true,
      at: { file: '/etc/tend/a.yaml', line: 38, column: 5 },
    },
  )
  assert.deepEqual(rest, {
    concurrency: 4,
    isEnabled: false,
    listen: { host: '0.0.0.0', port: 9000, isOpen: true, hosts: ['cd.example.org'] },
    projectName: 'Tend',
    hooks: [
      { kind: 'github', secret: { variable: 'HOOK' }, isOpen: false, source: web?.source },
      { kind: 'generic', secret: undefined, isOpen: true },
    ],
    alerts: {
      failures: 2,
      after: 60_000,
      channels: [
        {
          name: 'slack',
          kind: 'slack',
          url: { file: '/etc/tend/slack' },
          secret: undefined,
          settings: {},
        },
        {
          name: 'mail',
          kind: 'email',
          url: { text: 'smtps://mail.example.org' },
          secret: { file: '/run/p' },
          settings: { from: 'a@x.org', to: 'b@x.org, c@x.org', user: 'me' },
        },
      ],
    },
    commitStatus: [
      {
        kind: 'github',
        api: 'https://api.github.com',
        repository: 'shop/web',
        token: { variable: 'T' },
      },
    ],
    log: { level: 'debug', format: 'json' },
    hostFiles: '/srv/tend',
    isOrigin: false,
    warnings: [],
  })
})

test('little is enough', () => {
  const { apps, listen } = declared('sources: {a: {directory: .}}\napps: [{stack: web}]\n')
  assert.deepEqual(apps[0]?.source, { kind: 'directory', path: '/etc/tend' })
  assert.equal(apps[0]?.policy.interval, 60_000)
  assert.deepEqual(listen, { host: '127.0.0.1', port: 8080 })
})

test('all problems at once, each at its place with what to do', () => {
  const text = `sources:
  shop: {git: 'https://u:p@example.org/x', ref: main}
  bare: {git: /srv/x.git}
aps: []
apps:
  - stack: Web
    source: shop
    interval: 5
  - stack: b
    source: shpo
    windows: [{schedule: 61 * * * *, duration: 1h, timezone: Europe/Berln}]
  - chart: c
    source: shop
    intervall: 5m
    drift: revertt
    values: [a]
  - source: shop
`
  assert.deepEqual(told(text), [
    'a.yaml:2:15 sources.shop: holds credentials, which every log would show | take them out and name where they are: token: {file: …}',
    'a.yaml:3:3 sources.bare: does not say what to follow | add ref: with a branch, a tag or a commit',
    'a.yaml:4:1 aps: unknown field | did you mean apps?',
    'a.yaml:6:12 apps[0].stack: "Web" is not a name that Compose takes | use small letters, digits, "-" and "_", and begin with a letter or digit',
    'a.yaml:8:15 apps[0].interval: 5 is not a duration | write 5s for seconds, 5m for minutes',
    'a.yaml:10:13 there is no source "shpo" | did you mean shop?',
    'a.yaml:11:26 apps[1].windows[0].schedule: "61" is not a minute, 0 to 59 | such as "0 2 * * *" for 02:00 every day',
    'a.yaml:11:62 apps[1].windows[0].timezone: "Europe/Berln" is not a time zone | such as Europe/Berlin or UTC',
    'a.yaml:14:5 apps[2].intervall: unknown field | did you mean interval?',
    'a.yaml:15:12 apps[2].drift: "revertt" is not one of: revert, flag, ignore | did you mean revert?',
    'a.yaml:16:13 apps[2].values: expected a map, found a list',
    'a.yaml:17:5 is neither a stack nor a chart nor a kustomization nor a fleet | begin it with stack: NAME, chart: NAME, kustomization: NAME or fleet: NAME',
  ])
})

const source = 'sources: {s: {directory: /x}}\n'
const wrong: readonly (readonly [string, string, RegExp])[] = [
  [
    'an application twice',
    'apps:\n  - {stack: a}\n  - {stack: a}\n',
    /^a.yaml:4:5 stack:a is declared twice, also at \/etc\/tend\/a.yaml:3:5/,
  ],
  [
    'a dependency on nothing',
    'apps: [{stack: web, dependsOn: ["stack:dbb"]}, {stack: db}]',
    /stack:web depends on stack:dbb, which is not declared \| did you mean stack:db\?/,
  ],
  [
    'a circle',
    'apps: [{stack: a, dependsOn: ["stack:b"]}, {stack: b, dependsOn: ["stack:c"]}, {stack: c, dependsOn: ["stack:a"]}]',
    /in a circle: stack:a → stack:b → stack:c → stack:a/,
  ],
  ['oneself', 'apps: [{stack: a, dependsOn: ["stack:a"]}]', /stack:a depends on itself/],
  [
    'a dependency on a kind that only the list of kinds knows',
    'apps: [{stack: a, dependsOn: ["fleet:lab"]}]',
    /stack:a depends on fleet:lab, which is not declared/,
  ],
  [
    'a bare dependency',
    'apps: [{stack: a, dependsOn: [b]}]',
    /"b" is not the key of an application \| write stack:b or chart:b/,
  ],
  [
    'a path that leaves',
    'apps: [{stack: a, path: ../b}]',
    /apps\[0\].path: "..\/b" leaves its place/,
  ],
  [
    'a hook without a secret',
    'hooks: [{kind: github}]',
    /hooks\[0\]: has no secret, so anybody could call it \| add secret/,
  ],
  [
    'a channel without an address',
    'alerts: {channels: [{kind: slack, url: hooks.slack.com/x}]}',
    /url is not an address/,
  ],
  [
    'mail without anybody',
    'alerts: {channels: [{kind: email, url: "smtp://x"}]}',
    /email needs from and to/,
  ],
  [
    'two channels of one name',
    'alerts: {channels: [{kind: ntfy, url: "https://x/y"}, {kind: ntfy, url: "https://x/z"}]}',
    /ntfy is the name of two channels/,
  ],
  [
    'gitea without an address',
    'commitStatus: [{kind: gitea, repository: a/b, token: {variable: T}}]',
    /gitea has no usual address \| add api/,
  ],
  ['listening nowhere', 'listen: 0.0.0.0:99999', /listen: "0.0.0.0:99999" is not an address/],
  ['listening by half a map', 'listen: {port: 80}', /listen\.address: is required, but missing/],
  [
    'a window that never comes',
    'defaults: {windows: [{schedule: 0 0 30 2 *, duration: 1h}]}',
    /names a day that never comes/,
  ],
  ['a window too long', 'defaults: {windows: [{schedule: 0 0 * * *, duration: 60d}]}', /too long/],
  ['files of a chart', 'apps: [{chart: a, files: [x.yaml]}]', /files belongs to a stack/],
  [
    "lists in a stack's variables",
    'apps: [{stack: a, values: {X: [1]}}]',
    /X: a stack's variable is a text/,
  ],
  ['a prefix that no name begins with', 'discover: [{prefix: -A}]', /prefix: "-A" can't begin/],
  [
    'a word of another tool',
    'apps: [{stack: a, environment: {}}]',
    /apps\[0\].environment: unknown field \| use values/,
  ],
  ['not YAML', 'apps: [', /^a.yaml:2:8 this list begins with/],
  ['two documents', 'apps: []\n---\nsources: {}\n', /one file is one document/],
  ['a ref that Git would take for a flag', 'apps: []\n', /is not a ref/],
]
for (const [name, text, expected] of wrong) {
  test(`wrong: ${name}`, () => {
    const before =
      name === 'a ref that Git would take for a flag'
        ? 'sources: {s: {git: /x, ref: --upload-pack=x}}\n'
        : source
    assert.match(told(before + text).join('\n'), expected)
  })
}

test('a dependency may be found later where something is discovered', () => {
  assert.deepEqual(
    told(`${source}apps: [{stack: a, dependsOn: ["stack:b"]}]\ndiscover: [{path: x}]`),
    [],
  )
})

test('files of a folder are put together; what is said twice is wrong in both places', () => {
  const { apps, hooks } = declared(
    `${source}apps: [{stack: a, source: s}]\nhooks: [{kind: github, open: true}]`,
    'apps: [{stack: b, source: s}]\nhooks: [{kind: gitlab, open: true}]',
  )
  assert.deepEqual(
    apps.map(({ application }) => application.name),
    ['a', 'b'],
  )
  assert.deepEqual(
    hooks.map(({ kind }) => kind),
    ['github', 'gitlab'],
  )
  assert.deepEqual(told(`${source}concurrency: 1`, `${source}concurrency: 2\napps: []`), [
    'b.yaml:1:11 sources.s: is declared twice, also at /etc/tend/a.yaml:1:11',
    'b.yaml:2:1 concurrency: is said twice, also at /etc/tend/a.yaml:2:1 | say it in one file',
  ])
})

test('a secret is never quoted, wherever it is put by mistake', () => {
  const secret = 'hunter2-hunter2'
  for (const text of [
    `sources: {s: {git: "https://user:${secret}@example.org/x", ref: main}}`,
    `sources: {s: {git: https://example.org/x, ref: main, token: ${secret}}}`,
    `sources: {s: {git: https://example.org/x, ref: main, token: {value: ${secret}}}}`,
    `alerts: {channels: [{kind: slack, url: "${secret}"}]}`,
    `hooks: [{kind: github, secret: ${secret}}]`,
  ]) {
    const said = told(text).join('\n')
    assert.notEqual(said, '')
    assert.ok(!said.includes(secret), said)
  }
})

test('no text whatever makes it throw', () => {
  const words = [
    'apps',
    'sources',
    'discover',
    'stack',
    ': ',
    '- ',
    '\n',
    '  ',
    '{',
    '}',
    '[',
    ']',
    'a',
    '5m',
    'null',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 30 }), (parts) => {
      told(parts.join(''))
    }),
    { numRuns: 500 },
  )
})

test('editors get a schema with a description of every field', () => {
  const schema = declarationSchema(kinds)
  assert.equal(schema['title'], 'tend.yaml')
  const text = JSON.stringify(schema)
  assert.match(text, /"removeGone":\{[^}]*"description"/)
  assert.match(text, /"additionalProperties":false/)
  assert.deepEqual(
    Object.keys(JSON.parse(JSON.stringify(declarationSchema(kinds, 'repository'))).properties),
    ['values', 'profiles', 'files'],
  )
})

test('a file that was cut to nothing declares nothing by mistake; one among others may be empty', () => {
  for (const text of ['', '\n', '# nothing yet\n', '---\n']) {
    assert.deepEqual(told(text), [
      'a.yaml:1:1 /etc/tend/a.yaml holds nothing | write apps: [] if that is meant',
    ])
  }
  assert.deepEqual(told('', ''), told(''))
  assert.deepEqual(declared('apps: []').apps, [])
  assert.deepEqual(declared('', 'apps: []').apps, [])
})

test('what rendering may cost: durations and amounts of memory, and nothing too small to work', () => {
  const said = (text: string) =>
    declarationsFrom({
      files: [{ path: '/t.yaml', text: `apps: []\nrender: ${text}` }],
      environment: {},
      kinds,
    })
  assert.deepEqual(said('{ timeout: 2m, memory: 1G }').declarations?.render, {
    timeout: 120_000,
    memory: 1024 ** 3,
  })
  assert.equal(said('{}').problems.length, 0)
  for (const [text, message] of [
    ['{ memory: 64M }', /is too little \(at least 192M\)|is too little/],
    ['{ memory: much }', /is not an amount of memory/],
    ['{ timeout: 10ms }', /is too short/],
    ['{ cpu: 2 }', /cpu/],
  ] as const) {
    assert.match(said(text).problems[0]?.message ?? '', message)
  }
})

test('health and probation: of one application, of all, and misspelt', () => {
  const text = (more: string) =>
    `sources: {here: {directory: ./stacks}}\n${more}apps:\n  - stack: web\n    source: here\n`
  const [one] = declared(`${text('')}    health: rollback\n    probation: 30s\n`).apps
  assert.equal(one?.policy.health, 'rollback')
  assert.equal(one?.policy.probation, 30_000)
  const [other] = declared(text('defaults: {health: alert, probation: 0s}\n')).apps
  assert.equal(other?.policy.health, 'alert')
  assert.equal(other?.policy.probation, 0)
  assert.deepEqual(told(`${text('')}    health: restrat\n    probatoin: 1m\n`), [
    'a.yaml:5:13 apps[0].health: "restrat" is not one of: restart, rollback, alert | did you mean restart?',
    'a.yaml:6:5 apps[0].probatoin: unknown field | did you mean probation?',
  ])
})

test('where bases on other machines may come from, with whose signature', () => {
  const key = 'ssh-ed25519 AAAA alice'
  const { remoteBases } = declared(`apps: []
remoteBases:
  - from: github.com/acme
  - {from: git.example.org, token: {file: token}, verify: {ssh: ['${key}']}}
`)
  const credential = { kind: 'token', user: 'x-access-token', from: { file: '/etc/tend/token' } }
  const verify = { mode: 'head', keys: [{ text: key }] }
  assert.deepEqual(remoteBases, [
    { from: 'github.com/acme', credential: undefined },
    { from: 'git.example.org', credential, verify },
  ])
  assert.deepEqual(told("apps: []\nremoteBases: [{from: 'https://github.com/acme'}]\n"), [
    'a.yaml:2:22 remoteBases[0].from: "https://github.com/acme" is no host | write it as github.com/acme',
  ])
})

test('an unknown field that nothing comes near names those that there are', () => {
  const files = [{ path: '/srv/tend.yaml', text: 'sources: { here: { path: x } }\napps: []\n' }]
  const { problems } = declarationsFrom({ files, environment: {}, kinds })
  assert.match(problems[0]?.suggestion ?? '', /^there are: directory, git, ref, /)
})

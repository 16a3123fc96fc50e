/** A tend.yaml that uses every key that takes free text, for the JSON Schema that editors show; a test reads it with the schema itself. */

const policy = {
  keepImages: 2,
  ignore: [{ resource: 'container/web', fields: ['env.BUILD_TIME'] }],
  concurrency: 4,
  decryption: { keyFiles: ['/etc/tend/age.key'] },
  security: { outsideBinds: 'deny', allowedRoots: ['/srv/media'] },
}

const ssh = { key: { file: '/etc/tend/deploy-key' }, knownHosts: { file: '/etc/tend/known_hosts' } }
const login = { user: 'deploy', token: { file: '/etc/tend/git-token' } }
const verify = { gpg: [{ file: '/etc/tend/release.asc' }] }

export const wholeExample = {
  sources: {
    shop: { git: 'https://example.org/shop.git', ref: 'main', ...login, verify },
    infra: { git: 'git@example.org:infra.git', ref: 'main', ssh },
    here: { directory: '/srv/stacks' },
  },
  apps: [
    {
      stack: 'web',
      source: 'shop',
      path: 'deploy/web',
      files: ['compose.yaml', 'compose.prod.yaml'],
      profiles: ['metrics'],
      values: { TAG: '1.5' },
      ...policy,
    },
    { chart: 'hello', namespace: 'staging', source: 'infra', path: 'charts/hello' },
    { kustomization: 'apps', source: 'infra', path: 'k8s', spec: { prune: true } },
    { fleet: 'clusters', source: 'infra', path: 'clusters' },
  ],
  discover: [
    {
      name: 'all-stacks',
      source: 'shop',
      path: 'deploy',
      depth: 2,
      exclude: ['drafts/**'],
      prefix: 'shop-',
      values: { TAG: '1.5' },
      ...policy,
    },
  ],
  fleets: [{ fleet: 'dev', database: '/var/lib/tend/fleet.db', config: '/etc/tend/fleet.yaml' }],
  defaults: policy,
  concurrency: 8,
  listen: { address: '127.0.0.1:8080', hosts: ['tend.example.org'] },
  hooks: [{ kind: 'github', secret: { file: '/etc/tend/hook-secret' }, source: 'shop' }],
  alerts: {
    failures: 3,
    channels: [
      {
        kind: 'email',
        name: 'on-call',
        url: 'smtps://mail.example.org',
        secret: { file: '/etc/tend/mail-password' },
        from: 'tend@example.org',
        to: ['ops@example.org'],
        user: 'tend',
      },
    ],
  },
  commitStatus: [
    {
      kind: 'gitea',
      api: 'https://git.example.org/api/v1',
      repository: 'team/shop',
      token: { variable: 'GITEA_TOKEN' },
    },
  ],
  remoteBases: [{ from: 'example.org/bases', ...login, verify }],
  login: {
    issuer: 'https://accounts.example.org',
    clientId: 'tend',
    clientSecret: { file: '/etc/tend/client-secret' },
    address: 'https://tend.example.org',
    scopes: ['openid', 'profile', 'groups'],
    groupsClaim: 'groups',
    roles: [{ group: 'ops', role: 'admin' }],
  },
  audit: { rows: 100_000, days: 90 },
  hostFiles: '/var/lib/tend/files',
}

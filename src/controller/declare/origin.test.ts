/** The origin's variables: its users only change the image. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Declarations } from '#model/declaration.ts'
import { judge, rulingAll, warnOfHarmless } from '#model/policy.ts'
import { loadDeclarations } from '#kinds/all.ts'
import { declarationsFrom } from './declarations-from.ts'
import type { Environment } from './origin.ts'

const kinds = await loadDeclarations()

const needed = {
  GIT_REPO_URL: 'https://example.org/stacks.git',
  GIT_ACCESS_TOKEN: 'planted-token',
  GIT_REVISION: 'main',
}

function read(more: Environment): Declarations {
  const { declarations, problems } = declarationsFrom({
    files: [],
    environment: { ...needed, ...more },
    kinds,
  })
  assert.deepEqual(problems, [])
  return declarations!
}

function refused(environment: Environment): string {
  const { problems } = declarationsFrom({ files: [], environment, kinds })
  return problems.map(({ message, suggestion }) => `${message} | ${suggestion}`).join('\n')
}

test('the three that are needed give the origin as it was by default', () => {
  const all = read({})
  const [one] = all.discoveries
  assert.deepEqual(one?.source, {
    kind: 'git',
    url: 'https://example.org/stacks.git',
    ref: 'main',
    credential: { kind: 'token', user: 'x-access-token', from: { variable: 'GIT_ACCESS_TOKEN' } },
    submodules: false,
  })
  assert.equal(one?.isOrigin, true)
  assert.equal(one?.path, '')
  assert.equal(one?.depth, 1)
  assert.equal(one?.prefix, '')
  assert.equal(one?.removesGone, false)
  assert.equal(one?.policy.interval, 0)
  assert.equal(one?.policy.drift, 'revert')
  assert.equal(one?.policy.flagsEverything, false)
  assert.deepEqual(one?.policy.security, { ...warnOfHarmless, saidIn: 'environment' })
  assert.equal(all.isOrigin, true)
  assert.equal(all.isEnabled, true)
  assert.equal(all.concurrency, 1)
  assert.equal(all.projectName, 'Docker-CD')
  assert.deepEqual(all.listen, { host: '0.0.0.0', port: 8080, isOpen: false })
  assert.deepEqual(all.hooks, [])
  assert.match(all.warnings.join(), /TEND_OPEN_WEBHOOK=true/)
  assert.ok(!JSON.stringify(all).includes('planted-token'))
})

test('each variable counts', () => {
  const all = read({
    GIT_DEPLOY_DIR: '/deploy/prod/',
    PORT: '9090',
    PROJECT_NAME: 'Shop',
    DOCKER_SOCKET: '/run/user/1000/docker.sock',
    WEBHOOK_SECRET: 'planted-secret',
    REFRESH_POLL_INTERVAL: '5m',
    RECONCILE_ENABLED: 'false',
    RECONCILE_REMOVE_ENABLED: 'true',
    DRIFT_POLICY: 'flag',
    LOG_LEVEL: 'debug',
    LOG_FORMAT: 'json',
  })
  const [one] = all.discoveries
  assert.equal(one?.path, 'deploy/prod')
  assert.equal(one?.target, 'unix:///run/user/1000/docker.sock')
  assert.equal(one?.policy.interval, 300_000)
  assert.equal(one?.removesGone, true)
  assert.equal(one?.policy.drift, 'flag')
  assert.equal(one?.policy.flagsEverything, true)
  assert.equal(all.listen.port, 9090)
  assert.equal(all.projectName, 'Shop')
  assert.equal(all.isEnabled, false)
  assert.deepEqual(all.log, { level: 'debug', format: 'json' })
  assert.deepEqual(all.hooks[0], {
    kind: 'github',
    secret: { variable: 'WEBHOOK_SECRET' },
    isOpen: false,
  })
  assert.deepEqual(all.warnings, [])
  assert.ok(!JSON.stringify(all).includes('planted-secret'))
})

test('what it took for its default is taken so, and told', () => {
  const all = read({
    PORT: 'http',
    DRIFT_POLICY: 'warn',
    RECONCILE_ENABLED: 'perhaps',
    TEND_OPEN_WEBHOOK: '1',
  })
  assert.equal(all.listen.port, 8080)
  assert.equal(all.discoveries[0]?.policy.drift, 'revert')
  assert.equal(all.isEnabled, true)
  assert.equal(all.warnings.length, 3)
})

test('each deliberate difference can be turned back', () => {
  const all = read({
    TEND_OPEN_API: 'true',
    TEND_HOSTS: 'cd.example.org, other.example.org',
    TEND_OPEN_WEBHOOK: 'true',
    TEND_SECURITY: 'allow',
    TEND_PRUNE: 'false',
    TEND_ROLLBACK: 'never',
    TEND_PASS_ENV: 'DOMAIN, REGION',
    TEND_HOST_FILES: '/srv/tend',
    DOMAIN: 'example.org',
  })
  const [one] = all.discoveries
  assert.equal(all.listen.isOpen, true)
  assert.deepEqual(all.listen.hosts, ['cd.example.org', 'other.example.org'])
  assert.deepEqual(all.hooks[0], { kind: 'github', secret: undefined, isOpen: true })
  assert.equal(one?.policy.security.privileged, 'allow')
  assert.equal(one?.policy.prune, false)
  assert.equal(one?.policy.rollback, 'never')
  assert.deepEqual(one?.values, { DOMAIN: 'example.org', REGION: '' })
  assert.equal(all.hostFiles, '/srv/tend')
})

test('what reaches the host is denied until the operator says a word, and that word is obeyed', () => {
  const policyOf = (more: Environment) => read(more).discoveries[0]!.policy.security
  const usual = policyOf({})
  for (const rule of ['privileged', 'hostNamespaces', 'engineSocket', 'outsideBinds'] as const) {
    assert.equal(usual[rule], 'deny', rule)
  }
  assert.equal(usual.externalVolumes, 'deny')
  assert.equal(usual.externalNetworks, 'warn')
  assert.match(
    judge(usual, { rule: 'privileged', what: 'privileged' })?.suggestion ?? '',
    /set TEND_SECURITY=warn \(or allow\)$/,
  )
  const share = { rule: 'externalVolumes', what: 'x', share: 'volume/x' } as const
  assert.match(judge(usual, share)?.suggestion ?? '', /set TEND_SHARED=volume\/x, or TEND_SECURITY/)
  assert.equal(judge(policyOf({ TEND_SHARED: 'volume/x, network/y' }), share), undefined)
  assert.match(read({ TEND_SHARED: 'proxy' }).warnings.join(), /TEND_SHARED: proxy names nothing/)
  const said = { shared: [], saidIn: 'environment' }
  for (const word of ['warn', 'allow', 'deny'] as const) {
    assert.deepEqual(policyOf({ TEND_SECURITY: word }), { ...rulingAll(word), ...said })
  }
})

test('an open webhook with a secret is not open', () => {
  const all = read({ WEBHOOK_SECRET: 'x', TEND_OPEN_WEBHOOK: 'true' })
  assert.equal(
    all.hooks.some(({ isOpen }) => isOpen),
    false,
  )
})

test('what is missing or wrong is told, all at once', () => {
  assert.match(refused({}), /there is no tend.yaml, and GIT_REPO_URL is not set/)
  const said = refused({
    GIT_REPO_URL: 'https://example.org/x',
    REFRESH_POLL_INTERVAL: 'often',
    GIT_DEPLOY_DIR: '../x',
  })
  assert.match(said, /GIT_ACCESS_TOKEN is not set/)
  assert.match(said, /GIT_REVISION is not set/)
  assert.match(said, /"often" is not a duration/)
  assert.match(said, /GIT_DEPLOY_DIR leads out/)
  const hidden = refused({ ...needed, GIT_REPO_URL: 'https://u:planted@example.org/x' })
  assert.match(hidden, /holds credentials.*set GIT_ACCESS_TOKEN/)
  assert.ok(!hidden.includes('planted'))
  assert.match(refused({ ...needed, TEND_PASS_ENV: 'GIT_ACCESS_TOKEN' }), /never passed on/)
})

test('with a file the variables are not read, and that is said', () => {
  const files = [{ path: '/t.yaml', text: 'sources: {a: {directory: /x}}\napps: [{stack: a}]\n' }]
  const { declarations } = declarationsFrom({ files, environment: needed, kinds })
  assert.equal(declarations?.isOrigin, false)
  assert.match(
    declarations?.warnings.join() ?? '',
    /GIT_REPO_URL, GIT_ACCESS_TOKEN, GIT_REVISION: not read/,
  )
})

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { Problem } from '#model/problem.ts'
import type { ClusterAccess } from './cluster-access.ts'
import { findCluster, type ClusterSurroundings } from './find-cluster.ts'
import { accessFrom } from './kubeconfig.ts'

const { signal } = new AbortController()
const home = '/home/user'

function around(
  files: Readonly<Record<string, string>>,
  more: Partial<ClusterSurroundings> = {},
): ClusterSurroundings {
  const read = (path: string) => files[path]
  return { environment: {}, home, account: '/account', read, ...more }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function config(cluster: string, user: string, name = 'one'): string {
  return `apiVersion: v1
kind: Config
current-context: ${name}
contexts:
- { name: ${name}, context: { cluster: c-${name}, user: u-${name}, namespace: apps } }
clusters:
- { name: c-${name}, cluster: { server: "https://${name}.example:6443", ${cluster} } }
users:
- { name: u-${name}, user: { ${user} } }
`
}

const one = `certificate-authority-data: ${base64('THE CA')}`

function problemOf(work: () => unknown): Problem {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error
  }
  return assert.fail('it was taken')
}

function taken(user: string, cluster = one): ClusterAccess {
  return accessFrom([{ name: 'file', text: config(cluster, user) }], {
    read: (path) => `<${path}>`,
  })
}

test('a context gives server, authority, namespace and a certificate', async () => {
  const pair = `client-certificate-data: ${base64('CERT')}, client-key: key.pem`
  const access = taken(pair)
  assert.deepEqual(
    [access.server, access.ca, access.namespace, access.isVerified],
    ['https://one.example:6443', 'THE CA', 'apps', true],
  )
  const { certificate, authorization } = await access.credential(false, signal)
  assert.deepEqual([certificate, authorization], [{ cert: 'CERT', key: '<key.pem>' }, undefined])
})

test('tokens, passwords and other names are taken as kubectl takes them', async () => {
  const header = async (user: string) =>
    (await taken(user).credential(false, signal)).authorization ?? ''
  assert.equal(await header('token: abc'), 'Bearer abc')
  assert.equal(await header('tokenFile: t'), 'Bearer <t>')
  assert.equal(await header('username: a, password: b'), `Basic ${base64('a:b')}`)
  assert.equal(await header(''), '')
  const { impersonation } = taken('token: x, as: jane, as-groups: [a], as-user-extra: { k: [v] }')
  assert.deepEqual(impersonation, { user: 'jane', groups: ['a'], extra: { k: ['v'] } })
  const named = taken('token: x', 'insecure-skip-tls-verify: true, tls-server-name: other')
  assert.deepEqual([named.isVerified, named.serverName], [false, 'other'])
})

test('what is named counts first, then KUBECONFIG laid over each other, then the home, then the pod', async () => {
  const files = {
    '/a': config(one, 'token: a', 'first'),
    '/b': `${config(one, 'token: b', 'second')}`,
    [`${home}/.kube/config`]: config(one, 'token: h', 'home'),
    '/account/token': 'pod',
    '/account/ca.crt': 'POD CA',
    '/account/namespace': 'flux-system\n',
  }
  const environment = { KUBECONFIG: '/missing:/a:/b', KUBERNETES_SERVICE_HOST: 'fd00::1' }
  const server = (more: Partial<ClusterSurroundings>) => findCluster(around(files, more)).server
  assert.equal(server({ environment, kubeconfig: '/b' }), 'https://second.example:6443')
  assert.equal(server({ environment }), 'https://first.example:6443')
  assert.equal(server({ environment, context: 'second' }), 'https://second.example:6443')
  assert.equal(server({}), 'https://home.example:6443')
  const { [`${home}/.kube/config`]: _, ...rest } = files
  const pod = findCluster(around(rest, { environment: { ...environment, KUBECONFIG: '' } }))
  assert.deepEqual(
    [pod.server, pod.ca, pod.namespace, await pod.credential(false, signal)],
    ['https://[fd00::1]:443', 'POD CA', 'flux-system', { authorization: 'Bearer pod' }],
  )
})

test('what is wrong says where and what to do', () => {
  const files = { '/a': config(one, 'token: a', 'first'), '/bad': 'a: [' }
  const missing = problemOf(() => findCluster(around(files, { kubeconfig: '/none' })))
  assert.match(missing.message, /the kubeconfig \/none can't be read/)
  const context = problemOf(() => findCluster(around(files, { kubeconfig: '/a', context: 'x' })))
  assert.match(`${context.message}; ${context.suggestion}`, /\/a has no context x; it has: first/)
  const bad = problemOf(() => findCluster(around(files, { kubeconfig: '/bad' })))
  assert.deepEqual([bad.code, bad.at?.line], ['yaml_error', 1])
  const nothing = problemOf(() => findCluster(around({})))
  assert.match(nothing.details.join('\n'), /tried: \/home\/user\/\.kube\/config/)
  assert.match(problemOf(() => taken('client-key: k')).message, /certificate needs its key/)
  assert.match(problemOf(() => taken('auth-provider: { name: gcp }')).message, /use exec/)
})

test('a kubeconfig from a cluster may start nothing, read nothing here and must check certificates', () => {
  const confined = (cluster: string, user: string) =>
    problemOf(() =>
      accessFrom([{ name: 'Secret a/b', text: config(cluster, user) }], {
        read: () => assert.fail('it was read'),
        isConfined: true,
      }),
    ).message
  assert.match(confined(one, 'exec: { command: sh }'), /starts a program/)
  assert.match(confined(one, 'tokenFile: /etc/shadow'), /names a file of this machine/)
  assert.match(confined('certificate-authority: /etc/shadow', 'token: a'), /names a file/)
  assert.match(confined('insecure-skip-tls-verify: true', 'token: a'), /switches off the check/)
})

function plugin(t: TestContext, script: string, more = ''): ClusterAccess {
  const folder = mkdtempSync(join(tmpdir(), 'tend-exec-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'login'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'login'), 0o755)
  const user = `exec: { apiVersion: client.authentication.k8s.io/v1, command: ./login, args: [now], env: [{ name: COUNT, value: ${folder}/count }], ${more} }`
  const name = join(folder, 'config')
  return accessFrom([{ name, text: config(one, user) }], {
    read: (path) => readFileSync(path, 'utf8'),
  })
}

test('a program gives a token, once for all who ask, again when it is refused or over', async (t) => {
  const script = `echo x >> $COUNT; n=$(wc -l < $COUNT)
case $n in 1) over=2000-01-01T00:00:00Z;; *) over=2999-01-01T00:00:00Z;; esac
test "$1" = now && echo "{\\"status\\":{\\"token\\":\\"t$n\\",\\"expirationTimestamp\\":\\"$over\\"}}"`
  const access = plugin(t, script)
  const ask = async (isStale = false) => (await access.credential(isStale, signal)).authorization
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), Array(3).fill('Bearer t1'))
  assert.equal(await ask(), 'Bearer t2')
  assert.equal(await ask(), 'Bearer t2')
  assert.equal(await ask(true), 'Bearer t3')
})

test('a program is told the cluster where it wants to know, and its failure says how to get it', async (t) => {
  const told = plugin(
    t,
    `echo "{\\"status\\":{\\"token\\":\\"$(echo $KUBERNETES_EXEC_INFO | base64 -w0)\\"}}"`,
    'provideClusterInfo: true',
  )
  const { authorization = '' } = await told.credential(false, signal)
  const info = Buffer.from(authorization.slice(7), 'base64').toString()
  assert.match(info, /"server":"https:\/\/one\.example:6443"/)
  const broken = plugin(t, 'echo token-is-abc; echo no login >&2; exit 3', 'installHint: get it')
  await assert.rejects(broken.credential(false, signal), (error: unknown) => {
    assert.ok(error instanceof Problem)
    assert.match(error.message, /no login/)
    assert.doesNotMatch(error.message, /token-is-abc/)
    assert.equal(error.suggestion, 'get it')
    return true
  })
  await assert.rejects(
    plugin(t, 'echo token-is-abc').credential(false, signal),
    (error: unknown) => {
      assert.ok(error instanceof Problem)
      assert.doesNotMatch(error.message, /token-is-abc/)
      return true
    },
  )
  const asking = problemOf(() => plugin(t, '', 'interactiveMode: Always'))
  assert.match(asking.message, /asks at a terminal/)
})

/** Bases on other machines: built as kustomize builds them, from where the operator allows it, and never beyond. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { remoteBasesOf } from '#sources/remote-bases.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { startGitHttp, type GitHttp } from '../testbed/git-http.ts'
import { configMap } from '../testbed/flux-world.ts'
import { kubeTool, requiredKube } from '../testbed/kube-tools.ts'
import { tendProgram } from '../testbed/program.ts'

const skip = requiredKube(['kustomize'])
const program = resolve(tendProgram())
let git: Bench
let http: GitHttp
let root = ''
let first = ''

before(async () => {
  git = gitBench()
  http = await startGitHttp({ folder: git.folder })
  root = mkdtempSync(join(tmpdir(), 'tend-remote-'))
  first = git.commit('first', {
    'kustomization.yaml': 'resources: [base]\n',
    'base/kustomization.yaml': `resources: [a.yaml, ../other]
configMapGenerator: [{ name: made, literals: [a=b] }]
namePrefix: far-
`,
    'base/a.yaml': configMap('a', 'one'),
    'other/kustomization.yaml': 'resources: [b.yaml]\n',
    'other/b.yaml': configMap('b', 'one'),
    'part/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
labels: [{ pairs: { part: far } }]
`,
    // its base lies in this very repository, and is asked for as if it did not
    'again/kustomization.yaml': `resources: ['${http.origin}/infra.git//other?ref=main']\nnameSuffix: -again\n`,
    'out/kustomization.yaml': 'resources: [../../../outside]\n',
    'reads/kustomization.yaml': 'configMapGenerator: [{ name: x, files: [../base/a.yaml] }]\n',
    'self/kustomization.yaml': `resources: ['${http.origin}/infra.git//self?ref=main']\n`,
  })
  git.git('tag', 'v1')
  git.git('push', '-q', 'origin', 'v1')
  git.commit('second', { 'base/a.yaml': configMap('a', 'two') })
})

after(async () => {
  await http.stop()
  git.remove()
  rmSync(root, { recursive: true })
})

let number = 0

function written(files: Readonly<Record<string, string>>): string {
  const folder = join(root, String(number++))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Not at once: the repository is served by this very process. */
function ran(
  command: string,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
) {
  const env = { ...process.env, TEND_HOME: join(root, 'home'), ...more }
  const child = spawn(command, words, { env, cwd: root })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (part: string) => (out += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (err += part))
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

const allowed = { TEND_REMOTE_BASES: '127.0.0.1' }

test('what is built is what kustomize builds', { skip }, async () => {
  const url = `${http.origin}/infra.git`
  const sets = [
    `resources: ['${url}//base?ref=v1']\nnamespace: shop\n`,
    `resources: ['${url}//base?ref=main']\nnameSuffix: -x\nbuildMetadata: [originAnnotations, transformerAnnotations]\n`,
    `resources: ['${url}?ref=${first}', near.yaml]\n`,
    `resources: ['${url}/other', '${url}//base?version=v1']\ncomponents: ['${url}//part?ref=main']\n`,
    `resources: ['${url}//again?ref=main']\n`,
  ]
  for (const text of sets) {
    const folder = written({ 'kustomization.yaml': text, 'near.yaml': configMap('near', 'one') })
    const [theirs, ours] = await Promise.all([
      ran(kubeTool('kustomize'), ['build', folder]),
      ran(program, ['kustomize', 'build', folder], allowed),
    ])
    assert.equal(theirs.code, 0, theirs.err)
    assert.equal(ours.err, '', text)
    assert.equal(ours.out, theirs.out, text)
  }
  const direct = await Promise.all([
    ran(kubeTool('kustomize'), ['build', `${url}//base?ref=v1`]),
    ran(program, ['kustomize', 'build', `${url}//base?ref=v1`], allowed),
  ])
  assert.equal(direct[1].out, direct[0].out, direct[1].err)
})

test('what kustomize refuses is refused', { skip }, async () => {
  const url = `${http.origin}/infra.git`
  const sets: readonly (readonly [string, RegExp])[] = [
    [`${url}//out?ref=main`, /leads out of/],
    [`${url}//reads?ref=main`, /is outside of/],
    [`${url}//self?ref=main`, /leads back to itself/],
    [`${url}//nowhere?ref=main`, /is on another machine|there is no /],
    [`${url}//base?ref=v9`, /has no branch, tag or commit "v9"/],
  ]
  for (const [address, why] of sets) {
    const folder = written({ 'kustomization.yaml': `resources: ['${address}']\n` })
    const [theirs, ours] = await Promise.all([
      ran(kubeTool('kustomize'), ['build', folder]),
      ran(program, ['kustomize', 'build', folder], allowed),
    ])
    assert.notEqual(theirs.code, 0, address)
    assert.notEqual(ours.code, 0, address)
    assert.match(ours.err, why)
  }
})

test(
  'only what the operator allows is asked, and a commit is asked for once',
  { skip },
  async () => {
    const address = `${http.origin}/infra.git//base?ref=${first}`
    const folder = written({ 'kustomization.yaml': `namePrefix: a-\nresources:\n- ${address}\n` })
    const before = http.asked.length
    for (const hosts of ['', 'github.com', '127.0.0.1/infra-evil', '127.0.0.1.example.org']) {
      const refused = await ran(program, ['kustomize', 'build', folder], {
        TEND_REMOTE_BASES: hosts,
      })
      assert.equal(refused.code, 2, refused.out)
      assert.match(refused.err, /kustomization\.yaml:3/)
      assert.match(refused.err, /TEND_REMOTE_BASES/)
    }
    assert.equal(http.asked.length, before)
    const home = {
      ...allowed,
      TEND_HOME: join(root, 'another-home'),
      TEND_REMOTE_BASES: '127.0.0.1/infra',
    }
    const built = await ran(program, ['kustomize', 'build', folder], home)
    assert.equal(built.code, 0, built.err)
    http.answer(503)
    const again = await ran(program, ['kustomize', 'build', folder], home)
    http.answer(undefined)
    assert.equal(again.out, built.out, again.err)
  },
)

test('where signatures are asked for, only signed commits are used, whatever else allows the place', async (t) => {
  const key = join(root, 'signer')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const signers = { text: readFileSync(`${key}.pub`, 'utf8') }
  const bases = remoteBasesOf({
    origins: () => [
      { from: '127.0.0.1' },
      { from: '127.0.0.1/infra', verify: { mode: 'head', keys: [signers] } },
      { from: '127.0.0.1/infra' },
    ],
    cache: join(root, 'signed-cache'),
    environment: process.env,
  })
  const asked = { repository: `${http.origin}/infra.git`, host: '127.0.0.1', ref: 'main' }
  await assert.rejects(bases.fetch(asked, undefined, t.signal), /is not used: it is not signed/)
  git.git('config', 'gpg.format', 'ssh')
  git.git('config', 'user.signingkey', key)
  git.git('config', 'commit.gpgsign', 'true')
  const signed = git.commit('signed', { 'README.md': 'signed' })
  assert.equal((await bases.fetch(asked, undefined, t.signal)).commit, signed)
})

test('a credential goes to the port that is declared, over https or ssh, whatever a kustomization asks for', async (t) => {
  const environment = { ...process.env, PLANTED: 'planted' }
  const token = { kind: 'token', user: 'robot', from: { variable: 'PLANTED' } } as const
  const key = { kind: 'ssh', key: { variable: 'PLANTED' }, knownHosts: undefined } as const
  const origins = [
    { from: 'token.test', credential: token },
    { from: 'token.test:8443/a', credential: token },
    { from: 'key.test', credential: key },
    { from: '127.0.0.1', credential: token },
  ]
  const cache = join(root, 'credential-cache')
  const bases = remoteBasesOf({ origins: () => origins, cache, environment })
  const told = async (repository: string): Promise<string> => {
    const host = /(?:@|\/\/)([^/:@]+)[/:]/.exec(repository)?.[1] ?? ''
    const asked = { repository, host, ref: 'main' }
    assert.ok(bases.isAllowed(asked), repository)
    return bases.fetch(asked, undefined, t.signal).then(
      () => 'fetched',
      (error: unknown) => String(error),
    )
  }
  const before = http.asked.length
  for (const address of [
    `${http.origin}/infra.git`,
    'http://token.test/a/b',
    'https://token.test:8444/a/b',
    'https://token.test:8443/other/b',
    'git@token.test:a/b',
    'https://key.test/a/b',
    'ssh://git@key.test:2222/a/b',
  ]) {
    assert.match(await told(address), /is not what the credential of the remote base/, address)
  }
  assert.equal(http.asked.length, before)
  for (const address of [
    'https://token.test/a/b',
    'https://token.test:443/a/b',
    'https://token.test:8443/a/b',
    'git@key.test:2222/b',
    'ssh://git@key.test:22/a/b',
  ]) {
    assert.match(await told(address), /the name of its host is not known|key/, address)
  }
})

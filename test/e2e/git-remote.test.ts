/** Repositories over http with a token and over ssh with a key, and where those never show: command lines, disk, errors. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import type { Credential } from '#model/declaration.ts'
import { factsOf, Problem } from '#model/problem.ts'
import type { Repository } from '#model/source.ts'
import { gitRepository, type GitOptions } from '#sources/git/repository.ts'
import { gitBench } from '../testbed/git.ts'
import { startGitHttp, type GitHttp, type GitHttpOptions } from '../testbed/git-http.ts'
import { startGitSsh, type GitSsh } from '../testbed/git-ssh.ts'
import { required, whereIs } from '../testbed/packages.ts'

const { signal } = new AbortController()
const bench = gitBench()
const token = 'planted+secret/4711='
const password = { user: 'robot', token }
const servers: (GitHttp | GitSsh)[] = []
const tokenFile = join(bench.folder, 'token')
const withToken: Credential = { kind: 'token', user: 'robot', from: { file: tokenFile } }
let first = ''
let caches = 0

before(() => {
  writeFileSync(tokenFile, `${token}\n`)
  first = bench.commit('one', { a: '1' })
  bench.commit('two', { a: '2' })
})
after(async () => {
  for (const server of servers) await server.stop()
  bench.remove()
})

async function http(options: Partial<GitHttpOptions> = {}): Promise<GitHttp> {
  const server = await startGitHttp({ folder: bench.folder, ...options })
  servers.push(server)
  return server
}

function open(url: string, credential?: Credential, more: Partial<GitOptions> = {}): Repository {
  const cache = join(bench.folder, `cache-${(caches += 1)}`)
  const { environment } = bench
  return gitRepository({ url, credential, submodules: false, cache, environment, ...more })
}

/** An agent as an operator has one, with this key. */
function startAgent(socket: string, key: string): { readonly socket: string; stop(): void } {
  const told = execFileSync('ssh-agent', ['-a', socket, '-s'], { encoding: 'utf8' })
  const id = Number(/SSH_AGENT_PID=(\d+)/.exec(told)?.[1])
  execFileSync('ssh-add', ['-q', key], { env: { ...process.env, SSH_AUTH_SOCK: socket } })
  return { socket, stop: () => void process.kill(id) }
}

async function textOf(repository: Repository, path: string): Promise<string> {
  const revision = (await repository.latest(['main'], signal)).get('main')
  const snapshot = await repository.snapshot(revision ?? '', 'main', signal)
  return new TextDecoder().decode(snapshot.tree.read(path))
}

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const outcome = await work.then(
    () => 'no problem',
    (error: unknown) => error,
  )
  assert.ok(outcome instanceof Problem, inspect(outcome))
  const shown = `${inspect(outcome, { depth: 10 })}${JSON.stringify(factsOf(outcome))}`
  assertClean(shown, 'a problem')
  return outcome
}

const secrets = [
  token,
  encodeURIComponent(token),
  Buffer.from(token).toString('base64'),
  Buffer.from(`robot:${token}`).toString('base64'),
  'BEGIN OPENSSH PRIVATE KEY',
]

function assertClean(text: string, where: string): void {
  for (const secret of secrets) assert.ok(!text.includes(secret), `a secret shows in ${where}`)
}

function assertCachesClean(): void {
  for (const file of globSync(`${bench.folder}/cache-*/**/*`)) {
    if (statSync(file).isFile()) assertClean(readFileSync(file, 'latin1'), file)
  }
}

test('http with a token: read, and the token is on no command line and in no file', async () => {
  const server = await http({ password })
  const repository = open(`${server.origin}/infra.git`, withToken)
  // all command lines of this user are looked at while the work goes on
  let isDone = false
  const watching = (async () => {
    let looks = 0
    while (!isDone) {
      for (const file of globSync('/proc/[0-9]*/cmdline')) {
        try {
          assertClean(readFileSync(file, 'utf8'), file)
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error
        }
      }
      looks += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    return looks
  })()
  assert.equal(await textOf(repository, 'a'), '2')
  isDone = true
  assert.ok((await watching) > 0)
  assert.ok(server.authorizations.length > 0)
  assertClean(bench.seen(), 'the words that git got')
  assertCachesClean()
  assert.equal(repository.shown, `${server.origin}/infra.git`)
})

test('one ls-remote asks for all refs; an unmoved repository is not fetched', async () => {
  const server = await http({ password })
  const repository = open(`${server.origin}/infra.git`, withToken)
  await textOf(repository, 'a')
  bench.calls()
  const posts = () => server.asked.filter((line) => line.startsWith('POST')).length
  const asked = posts()
  await repository.latest(['main', 'other', 'v1', 'v2', first.slice(0, 3)], signal)
  await textOf(repository, 'a')
  assert.deepEqual(
    bench.calls().filter((call) => /ls-remote|fetch/.test(call)),
    ['ls-remote', 'ls-remote'],
  )
  assert.equal(posts() - asked, 2)
})

test('a wrong or missing token is permanent and says what to do', async () => {
  const server = await http({ password: { user: 'robot', token: 'other' } })
  const url = `${server.origin}/infra.git`
  for (const credential of [withToken, undefined]) {
    const problem = await problemOf(open(url, credential).latest(['main'], signal))
    assert.match(problem.message, /asking for its refs failed: access is denied/)
    assert.match(problem.suggestion ?? '', /Give a token/)
    assert.equal(problem.recoverable, false)
  }
  const absent = { kind: 'token', user: 'x', from: { variable: 'TEND_NO_SUCH' } } as const
  const unset = await problemOf(open(url, absent).latest(['main'], signal))
  assert.match(unset.message, /the variable TEND_NO_SUCH, which holds a credential, is not set/)
})

test('a token goes to its own host and to no host that it is sent on to', async () => {
  const other = await http({ password })
  const server = await http({ redirectsTo: other.origin })
  const problem = await problemOf(
    open(`${server.origin}/infra.git`, withToken).latest(['main'], signal),
  )
  assert.match(problem.message, /access is denied/)
  assert.deepEqual([...server.authorizations, ...other.authorizations], [])
})

test('credentials in an address are refused, and not repeated', () => {
  for (const user of [`x:${encodeURIComponent(token)}@`, `${encodeURIComponent(token)}@`]) {
    assert.throws(
      () => open(`https://${user}example.org/x.git`),
      (error: unknown) => {
        assert.ok(error instanceof Problem)
        assert.match(error.message, /https:\/\/example\.org\/x\.git holds a user or a password/)
        assertClean(inspect(error), 'a problem')
        return true
      },
    )
  }
})

test('what may pass is recoverable, what will not is permanent', async () => {
  const server = await http()
  const url = `${server.origin}/infra.git`
  for (const [status, isRecoverable, words] of [
    [503, true, /does not answer as it should/],
    [429, true, /does not answer as it should/],
    [404, false, /no such repository/],
    [403, false, /access is denied/],
  ] as const) {
    server.answer(status)
    const problem = await problemOf(open(url).latest(['main'], signal))
    assert.match(problem.message, words)
    assert.equal(problem.recoverable, isRecoverable, String(status))
  }
  const missing = open(`${server.origin}/nothing.git`)
  server.answer(undefined)
  assert.equal((await problemOf(missing.latest(['main'], signal))).recoverable, false)
  await server.stop()
  const gone = await problemOf(open(url).latest(['main'], signal))
  assert.equal(gone.recoverable, true)
  assert.match(gone.message, /refuses the connection/)
  assert.match(gone.suggestion ?? '', /Check that the host can be reached/)
  const nowhere = await problemOf(open('http://nowhere.invalid/x.git').latest(['main'], signal))
  assert.equal(nowhere.recoverable, true)
  assert.match(nowhere.message, /the name of its host is not known/)
})

test('a server of old that gives only what refs point at: older commits come with the history', async () => {
  const server = await http({ isOld: true })
  const repository = open(`${server.origin}/infra.git`)
  assert.equal(await textOf(repository, 'a'), '2')
  const older = await repository.snapshot(first, 'main', signal)
  assert.equal(new TextDecoder().decode(older.tree.read('a')), '1')
  const nobody = '1234567890123456789012345678901234567890'
  const problem = await problemOf(repository.snapshot(nobody, 'main', signal))
  assert.match(problem.message, /not there any more/)
})

test('http: a forced push is told from a usual one, also by a server of old', async () => {
  for (const isOld of [false, true]) {
    const server = await http({ isOld })
    const repository = open(`${server.origin}/infra.git`)
    const tip = bench.git('rev-parse', 'HEAD')
    await textOf(repository, 'a')
    bench.commit('three', { a: '3' })
    const newest = bench.commit('four', { a: '4' })
    await textOf(repository, 'a')
    assert.equal(await repository.comesFrom?.(newest, tip, signal), true)
    bench.git('reset', '-q', '--hard', tip)
    const other = bench.commit('other', { a: '2' })
    await textOf(repository, 'a')
    assert.equal(await repository.comesFrom?.(other, newest, signal), false)
  }
})

test('ssh with a key and known hosts', { skip: required('sshd') }, async (t) => {
  const server = await startGitSsh(join(bench.folder, 'ssh'))
  servers.push(server)
  const url = `${server.origin}${bench.bare}`
  const environment = {
    ...bench.environment,
    KEY: server.key,
    STRANGER: server.strangersKey,
    HOSTS: server.knownHosts,
    OTHERS: server.otherHosts,
    BROKEN: server.key.slice(0, 200),
  }
  const ssh = (key: string, hosts: string | undefined): Credential => ({
    kind: 'ssh',
    key: { variable: key },
    knownHosts: hosts === undefined ? undefined : { variable: hosts },
  })
  secrets.push(...server.key.split('\n').filter((line) => line.length > 40))
  const programs = join(bench.folder, 'bin')
  const notes = join(bench.folder, 'ssh-notes')
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> ${notes}\nexec ${whereIs('ssh')} "$@"\n`
  writeFileSync(join(programs, 'ssh'), script, { mode: 0o755 })

  await t.test('read, and the key is on no command line and in no file', async () => {
    assert.equal(await textOf(open(url, ssh('KEY', 'HOSTS'), { environment }), 'a'), '2')
    const words = readFileSync(notes, 'utf8')
    assert.match(words, /StrictHostKeyChecking=yes/)
    assertClean(words, 'the words that ssh got')
    assertClean(bench.seen(), 'the words that git got')
    assertCachesClean()
    const open_ = globSync('/proc/self/fd/*').length
    await textOf(open(url, ssh('KEY', 'HOSTS'), { environment }), 'a')
    assert.ok(globSync('/proc/self/fd/*').length <= open_ + 1)
  })

  for (const [name, credential, words] of [
    ['another host key', ssh('KEY', 'OTHERS'), /key of the ssh host is not one of the known hosts/],
    ['an unknown host', ssh('KEY', undefined), /key of the ssh host is not one of the known hosts/],
    ['a key that is not allowed', ssh('STRANGER', 'HOSTS'), /refuses the key/],
    ['half a key', ssh('BROKEN', 'HOSTS'), /the ssh key cannot be used/],
  ] as const) {
    await t.test(`${name} is refused, permanently`, async () => {
      const repository = open(url, credential, { environment })
      const problem = await problemOf(repository.latest(['main'], signal))
      assert.match(problem.message, words)
      assert.equal(problem.recoverable, false)
      assert.ok(problem.suggestion)
    })
  }

  await t.test('a submodule elsewhere gets neither the key nor what the operator has', async () => {
    // another port is another host: this one would let the same key in
    const other = await startGitSsh(join(bench.folder, 'other-ssh'))
    servers.push(other)
    copyFileSync(join(bench.folder, 'ssh/allowed'), join(bench.folder, 'other-ssh/allowed'))
    const known = join(bench.folder, 'both-hosts')
    writeFileSync(known, `${server.knownHosts}${other.knownHosts}`)
    const knowing = script.replace('"$@"\n', `-o UserKnownHostsFile=${known} "$@"\n`)
    writeFileSync(join(programs, 'ssh'), knowing, { mode: 0o755 })
    const agent = startAgent(join(bench.folder, 'agent'), join(bench.folder, 'ssh/user'))
    const whole = gitBench()
    const part = gitBench()
    try {
      const id = part.commit('part', { a: 'part' })
      const at = async (address: string, credential: Credential | undefined): Promise<string> => {
        const link = `[submodule "p"]\n\tpath = part\n\turl = ${address}${part.bare}\n`
        whole.git('update-index', '--add', '--cacheinfo', `160000,${id},part`)
        writeFileSync(join(whole.work, '.gitmodules'), link)
        whole.git('add', '.gitmodules')
        whole.git('commit', '-q', '--allow-empty', '-m', address)
        whole.git('push', '-q', '--force', 'origin', 'HEAD')
        const around = { ...environment, SSH_AUTH_SOCK: agent.socket }
        const more = { environment: around, submodules: true }
        return textOf(open(`${server.origin}${whole.bare}`, credential, more), 'part/a')
      }
      for (const credential of [ssh('KEY', undefined), undefined]) {
        assert.equal(await at(server.origin, credential), 'part')
        const problem = await problemOf(at(other.origin, credential))
        assert.match(problem.message, /refuses the key|access is denied/)
      }
    } finally {
      agent.stop()
      whole.remove()
      part.remove()
      writeFileSync(join(programs, 'ssh'), script, { mode: 0o755 })
    }
  })

  await t.test('a repository that is not there, a host that is not there', async () => {
    const missing = open(`${server.origin}/nowhere.git`, ssh('KEY', 'HOSTS'), { environment })
    const problem = await problemOf(missing.latest(['main'], signal))
    assert.match(problem.message, /no such repository/)
    assert.equal(problem.recoverable, false)
    await server.stop()
    const repository = open(url, ssh('KEY', 'HOSTS'), { environment })
    const gone = await problemOf(repository.latest(['main'], signal))
    assert.equal(gone.recoverable, true, gone.message)
  })
})

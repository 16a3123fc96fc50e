/** A repository that wants what is not its own: every way is refused with its file and line, and no canary is read or written. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'
import { attacks, service } from './repository-attacks.ts'

const never = new AbortController().signal
/** In Tend's home, in another application and on the host. */
const canary = 'canary-7c1e'

for (const [name, skip, begin] of bothEngines) {
  void describe(`a hostile repository on ${name}`, { skip }, () => {
    void test('nothing outside is read or written', { timeout: 900_000 }, async (t) => {
      const host = mkdtempSync(join(tmpdir(), 'tend-canary-'))
      writeFileSync(join(host, 'canary'), `A=${canary}-host\n`)
      writeFileSync(join(host, 'compose.yaml'), service(`labels: { read: ${canary}-host }`))
      const engine = await begin()
      const docker = dockerAt({ address: `unix://${engine.socket}` })
      const [hostile, victim] = [gitBench(), gitBench()]
      const serving = await servingOn({
        DOCKER_HOST: `unix://${engine.socket}`,
        CONTAINER_HOST: 'unix:///nonexistent',
      })
      t.after(async () => {
        await serving.remove()
        hostile.remove()
        victim.remove()
        docker.close()
        await engine.stop()
        rmSync(host, { recursive: true })
      })
      victim.commit('one', {
        'victim/compose.yaml': service(
          'volumes: ["data:/data"]',
          'volumes: { data: {} }\n',
        ).replace('sleep, "1000"', `sh, -c, "echo ${canary}-app > /data/f; exec sleep 1000"`),
      })
      plant(hostile, host)
      mkdirSync(serving.home, { recursive: true })
      writeFileSync(join(serving.home, 'canary'), `A=${canary}-home\n`)
      serving.declare(`
sources:
  hostile: { git: "${hostile.bare}", ref: main, submodules: true }
  good: { git: "${victim.bare}", ref: main }
render: { timeout: 10s, memory: 400M }
apps: [{ stack: victim, source: good, path: victim }]
discover: [{ source: hostile, name: hostile, interval: 1s }]
`)
      await serving.start()
      await serving.until('stack:victim', ({ state }) => state === 'synced')
      await refusals(serving, attacks(host))
      await serving.until('stack:claims', ({ state }) => state === 'synced')
      assert.deepEqual(readdirSync(host).toSorted(), ['canary', 'compose.yaml'])
      for (const one of await listContainers(docker, [], never)) {
        const found = JSON.stringify(await inspectContainer(docker, one.id, never))
        const isVictim = found.includes('victim-web-1')
        assert.ok(!found.includes(canary) || isVictim, `${one.id} has read a canary`)
        assert.ok(!found.includes(host), `${one.id} has the host's folder`)
        const project = one.labels['com.docker.compose.project']
        assert.ok(project !== 'victim' || isVictim, `${one.id} passes for another application's`)
      }
      assert.ok(!serving.log().includes(canary), serving.log())
      // oxlint-disable-next-line no-control-regex
      assert.doesNotMatch(serving.log(), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      await unfit(serving, hostile)
    })
  })
}

/** Links and submodules are what only Git itself can write. */
function plant(hostile: Bench, host: string): void {
  const canaryFile = join(host, 'canary')
  const links = {
    'env-link/link': canaryFile,
    'secret-link/link': canaryFile,
    'bind-link/link': host,
    'bind-link-readonly/link': canaryFile,
    'bind-through-link/link': host,
    'bind-folder-with-link/conf/link': canaryFile,
    'dotenv-link/.env': canaryFile,
    'dockerfile-link/link': canaryFile,
    'loop-of-links/round': 'round',
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(join(hostile.work, path, '..'), { recursive: true })
    symlinkSync(target, join(hostile.work, path))
  }
  const modules = [
    `[submodule "a"]\n\tpath = sub-a\n\turl = ext::sh -c touch% ${host}/ran\n`,
    `[submodule "b"]\n\tpath = sub-b\n\turl = --upload-pack=touch ${host}/ran\n`,
    `[submodule "c"]\n\tpath = ../../out\n\turl = ${host}\n`,
  ]
  const files = Object.entries(attacks(host)).map(([folder, [text]]) => [
    `${folder}/compose.yaml`,
    text,
  ])
  // what is its own to say: the labels of Tend count
  const claims = service('labels: { com.docker.compose.project: victim }')
  hostile.commit('attacks', {
    ...Object.fromEntries(files),
    'claims/compose.yaml': claims,
    '.gitmodules': modules.join(''),
  })
  const id = hostile.git('rev-parse', 'HEAD')
  for (const path of ['sub-a', 'sub-b']) {
    hostile.git('update-index', '--add', '--cacheinfo', `160000,${id},${path}`)
  }
  hostile.git('commit', '-q', '-m', 'submodules')
  hostile.git('push', '-q', '--force', 'origin', 'HEAD')
}

/** Either the whole repository can't be read, because of its submodules, or each application says why it is not applied. */
async function refusals(serving: Serving, all: ReturnType<typeof attacks>): Promise<void> {
  await waitFor(() => /\.gitmodules:3: the submodule sub-a/.test(serving.log())).catch(() => {
    throw new Error(`nothing was said of the submodules:\n${serving.log()}`)
  })
  serving.declare(
    readFileSync(join(serving.folder, 'tend.yaml'), 'utf8')
      .replace(/^listen.*\n/, '')
      .replace(', submodules: true', ''),
  )
  await serving.stop()
  await serving.start()
  const wrong: string[] = []
  for (const [folder, [, said]] of Object.entries(all)) {
    // all of them are told, also when several get through
    const { reason } = await serving
      .until(`stack:${folder}`, ({ state }) => state === 'failed' || state === 'synced')
      .catch(() => ({ reason: 'it is neither failed nor synced' }))
    const isPlaced = isPlacedIn(reason, folder)
    if (!said.test(reason) || !isPlaced || !isPlacedIn(serving.log(), folder))
      wrong.push(`${folder}: ${reason}`)
  }
  assert.deepEqual(wrong, [])
}

/** Whether a line of the log names a line of the application's file. */
function isPlacedIn(log: string, folder: string): boolean {
  return new RegExp(`${folder}/[\\w.-]+:\\d+`).test(log)
}

/** Commits that are too large, and one of many files: what ran goes on. */
async function unfit(serving: Serving, hostile: Bench): Promise<void> {
  const isWhole = process.env['TEND_HOSTILE'] === 'all'
  const megabytes = isWhole ? 1024 : 64
  const script = `commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 4\nmany\nfrom refs/heads/main^0\n`
  const files = Array.from(
    { length: 100_001 },
    (_, index) => `M 100644 :1 many/${index % 100}/${index}\n`,
  )
  const blob = `blob\nmark :1\ndata 1\nx\n`
  execFileSync('git', ['fast-import', '--quiet', '--force'], {
    cwd: hostile.bare,
    input: blob + script + files.join(''),
  })
  await waitFor(() => /100\d{3} files, more than/.test(serving.log()))
  hostile.git('fetch', '-q', 'origin')
  hostile.git('reset', '-q', '--hard', 'HEAD')
  const large = join(hostile.work, 'large')
  execFileSync('truncate', ['-s', `${megabytes}M`, large])
  hostile.git('-c', 'core.compression=1', 'add', 'large')
  hostile.git('commit', '-q', '-m', 'large')
  hostile.git('push', '-q', '--force', 'origin', 'HEAD:main')
  rmSync(large)
  const before = serving.log().length
  await waitFor(() => /new revision/.test(serving.log().slice(before)))
  assert.equal((await fetch(`${serving.url}/healthz`)).status, 200)
  assert.ok(!existsSync(join(hostile.folder, '..', 'out')))
}

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
import { busybox } from '../testbed/image.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'

const never = new AbortController().signal
/** In Tend's home, in another application and on the host. */
const canary = 'canary-7c1e'

const service = (more: string, below = ''): string =>
  `services:\n  web:\n    image: ${busybox}\n    command: [sleep, "1000"]\n    stop_grace_period: 0s\n    ${more}\n${below}`

/** By the name of the folder: what it writes, and what is said of it. */
function attacks(host: string): Readonly<Record<string, readonly [text: string, said: RegExp]>> {
  return {
    'env-up': [service('env_file: [../../../canary]'), /outside|does not exist/],
    'env-absolute': [service(`env_file: [${host}/canary]`), /outside/],
    'env-link': [service('env_file: [link]'), /outside|does not exist|link/],
    'secret-link': [
      service('secrets: [s]', 'secrets: { s: { file: link } }\n'),
      /outside|does not exist|link/,
    ],
    'config-up': [
      service('configs: [c]', 'configs: { c: { file: ../../canary } }\n'),
      /outside|does not exist/,
    ],
    'label-file': [service(`label_file: [${host}/canary]`), /outside/],
    include: [`include: [${host}/compose.yaml]\n`, /outside/],
    'include-remote': [`include: ["https://git.test/x.git"]\n`, /another machine/],
    extends: [service(`extends: { file: ${host}/compose.yaml, service: web }`), /outside/],
    'build-context': [`services: { web: { build: ${host} } }\n`, /denied|outside/],
    'bind-root': [service('volumes: ["/:/host"]'), /denied by the policy/],
    'bind-host': [service(`volumes: ["${host}:/host"]`), /denied by the policy/],
    'bind-up': [service('volumes: ["../..:/host"]'), /denied by the policy|outside/],
    socket: [service('volumes: ["/var/run/docker.sock:/s"]'), /denied by the policy/],
    'volume-device': [
      service(
        'volumes: ["vol:/v"]',
        `volumes: { vol: { driver_opts: { type: none, o: bind, device: ${host} } } }\n`,
      ),
      /denied by the policy/,
    ],
    'volume-label': [
      service(
        'volumes: ["vol:/v"]',
        'volumes: { vol: { driver_opts: { device: "LABEL=root" } } }\n',
      ),
      /denied by the policy/,
    ],
    'volume-plugin': [
      service('volumes: ["vol:/v"]', 'volumes: { vol: { driver: sshfs } }\n'),
      /denied by the policy/,
    ],
    'volume-foreign': [
      service('volumes: ["vol:/v"]', 'volumes: { vol: { external: true, name: victim_data } }\n'),
      /denied by the policy/,
    ],
    'network-foreign': [service('network_mode: container:victim-web-1'), /denied by the policy/],
    'pid-foreign': [service('pid: container:victim-web-1'), /denied by the policy/],
    'ipc-host': [service('ipc: host'), /denied by the policy/],
    'volumes-from': [service('volumes_from: ["container:victim-web-1"]'), /denied by the policy/],
    'links-out': [service('external_links: ["victim-web-1:v"]'), /denied by the policy/],
    privileged: [service('privileged: true'), /denied by the policy/],
    'all-caps': [service('cap_add: [ALL]'), /denied by the policy/],
    device: [service('devices: ["/dev/kmsg:/dev/k"]'), /denied by the policy/],
    unconfined: [service('security_opt: ["seccomp=unconfined"]'), /denied by the policy/],
    runtime: [service('runtime: mine'), /denied by the policy/],
    'own-labels': [service('labels: { tend/owner: somebody }'), /tend\/owner/],
    bomb: [
      `x: &a [1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 9 }, (_, i) => `y${i}: &b${i} [${`*${i === 0 ? 'a' : `b${i - 1}`},`.repeat(9)}]\n`).join('')}services: {}\n`,
      /./,
    ],
    deep: [`services: ${'['.repeat(100_000)}\n`, /deep/],
    json: [`${'{"a":'.repeat(50_000)}\n`, /./],
    controls: [service('hostname: "a\\eb"').replace('web:', '"w\\u009beb":'), /./],
    'name-taken': [service('container_name: victim-web-1'), /victim-web-1/],
  }
}

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
      assert.deepEqual(readdirSync(host).toSorted(), ['canary', 'compose.yaml'])
      for (const one of await listContainers(docker, [], never)) {
        const found = JSON.stringify(await inspectContainer(docker, one.id, never))
        const isVictim = found.includes('victim-web-1')
        assert.ok(!found.includes(canary) || isVictim, `${one.id} has read a canary`)
        assert.ok(!found.includes(host), `${one.id} has the host's folder`)
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
  for (const folder of ['env-link', 'secret-link']) {
    mkdirSync(join(hostile.work, folder), { recursive: true })
    symlinkSync(join(host, 'canary'), join(hostile.work, folder, 'link'))
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
  hostile.commit('attacks', { ...Object.fromEntries(files), '.gitmodules': modules.join('') })
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
    const { reason } = await serving.until(`stack:${folder}`, ({ state }) => state === 'failed')
    const isPlaced = new RegExp(`${folder}/[\\w.-]+:\\d+`).test(reason)
    if (!said.test(reason) || !isPlaced) wrong.push(`${folder}: ${reason}`)
  }
  assert.deepEqual(wrong, [])
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

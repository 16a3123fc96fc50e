/** Dockerfiles that engines read otherwise than they look: refused with file and line on real Docker and real Podman. */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import { execIn } from '#clients/docker/exec.ts'
import { denyAll } from '#model/policy.ts'
import type { AppStatus } from '#model/service.ts'
import { fakeRepository } from '../fake/repository.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { busybox } from '../testbed/image.ts'
import { serve, stackOf } from '../testbed/serve.ts'

const compose = 'services: { web: { build: ., command: sleep 1000, stop_grace_period: 0s } }\n'

function isOver({ state }: AppStatus): boolean {
  return state === 'failed' || state === 'synced'
}

/** A page on the loopback of the engine's host, and what was asked of it. */
async function page(t: TestContext): Promise<{ url: string; asked: readonly string[] }> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.end('secret of the host')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, asked }
}

/** By the name of the folder: the Dockerfile, and what is said of which line. */
function attacksWith(url: string): Readonly<Record<string, readonly [string, RegExp]>> {
  const from = `FROM ${busybox}`
  const linked = `${from} AS one\nRUN ln -s / /link\n${from}\n`
  return {
    'no-space': [
      `${linked}RUN --mount=type=bind,from=one,target=/h\uFEFF,source=link,rw true\n`,
      /:4:1: .*U\+FEFF, which engines read differently, is denied/,
    ],
    space: [`${from}\n\u0085ADD ${url}/space /x\n`, /:2:1: .*U\+0085, .* is denied/],
    // what follows ONBUILD is read as a file of its own, of which U+FEFF may be the beginning
    again: [
      `${from} AS one\nONBUILD \uFEFFADD ${url}/again /x\nFROM one\n`,
      /:2:1: .*U\+FEFF, .* is denied/,
    ],
    // engines of these versions read a list up to its end, whatever follows
    list: [`${from}\nADD ["${url}/list","/x"]more\n`, /:2:1: .*take for a list .* is denied/],
    // Podman takes what is said last
    cache: [
      `${from}\nRUN --mount=type=bind,type=cache,id=c,target=/c true\n`,
      /:2:1: .*says type twice, is denied/,
    ],
    others: [
      `${from}\n${from}\nRUN --mount=type=bind,from=0,from=maker-web,target=/m cp /m/mark /x\n`,
      /:3:1: .*says from twice, is denied/,
    ],
    // Podman fills variables in before it takes a flag apart
    variable: [
      `${linked}ARG X=/h,source=link,from=one,rw\nRUN --mount=type=bind,target=$X cp /h/etc/hostname /x\n`,
      /:5:1: .*RUN --mount=\S+ is denied/,
    ],
    'network-variable': [
      `${from}\nARG X=host\nRUN --network=$X wget -O /x ${url}/network\n`,
      /:3:1: .*RUN --network=\$X is denied/,
    ],
    // Docker takes this for words of a RUN, Podman for a line that goes on
    ends: [
      `${from}\nRUN echo \\\\\nADD ${url}/ends /x\n`,
      /:2:1: .*ends in \\\\, which engines read differently, is denied/,
    ],
  }
}

/** What engines would read otherwise than it looks, and is built as it looks. */
function harmlessWith(url: string): Readonly<Record<string, string>> {
  return {
    // Podman takes the name of a stage for that of an image where its capitals differ
    stage: `FROM ${busybox} AS Maker-Web\nRUN echo own > /mark\nFROM ${busybox}\nCOPY --from=maker-web /mark /x\n`,
    // these engines would take each line of it for an instruction
    script: `FROM ${busybox}\nRUN <<EOF\n: \\\nADD ${url}/script /y\necho own > /x\nEOF\n`,
    // only engines of other versions know it
    document: `FROM ${busybox}\nCOPY <<EOF /y\nADD ${url}/document /z\nEOF\nRUN echo own > /x\n`,
    // Podman would fill in what no ARG names
    undeclared: `FROM \${MAKER:-${busybox}}\nRUN echo own > /x\n`,
  }
}

for (const [name, skip, start] of bothEngines) {
  void test(`Dockerfiles in disguise on ${name}`, { skip, timeout: 300_000 }, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const { url, asked } = await page(t)
    const [attacks, harmless] = [attacksWith(url), harmlessWith(url)]
    const said = 'build: { context: ., args: { MAKER: maker-web } }'
    const folder = (): string => mkdtempSync(join(engine.root, 'service-'))
    const repo = fakeRepository(folder())
    const files = Object.entries(attacks).flatMap(([key, [dockerfile]]) => [
      [`${key}/compose.yaml`, compose],
      [`${key}/Dockerfile`, dockerfile],
    ])
    repo.commit({
      ...Object.fromEntries(files),
      ...Object.fromEntries(
        Object.entries(harmless).flatMap(([key, dockerfile]) => [
          [`${key}/compose.yaml`, compose.replace('build: .', said)],
          [`${key}/Dockerfile`, dockerfile],
        ]),
      ),
      'maker/compose.yaml': compose,
      'maker/Dockerfile': `FROM ${busybox}\nRUN echo mine > /mark\n`,
    })
    const made = (app: string, dependsOn: readonly string[] = []) =>
      stackOf(app, `unix://${engine.socket}`, { policy: { security: denyAll, dependsOn } })
    const others = Object.keys({ ...attacks, ...harmless })
    const apps = [made('maker'), ...others.map((key) => made(key, ['stack:maker']))]
    const service = serve({ folder: folder(), repo, declarations: { apps, concurrency: 2 } })
    t.after(() => service.stop())
    await service.start()
    const { state } = await service.until('stack:maker', isOver)
    assert.equal(state, 'synced')
    const through: string[] = []
    for (const [key, [, told]] of Object.entries(attacks)) {
      const { reason } = await service.until(`stack:${key}`, isOver)
      if (!reason.includes(`${key}/Dockerfile:`) || !told.test(reason)) {
        through.push(`${key}: ${reason}`)
      }
    }
    const docker = dockerAt({ address: `unix://${engine.socket}` })
    t.after(() => docker.close())
    for (const key of Object.keys(harmless)) {
      const { state: is, reason } = await service.until(`stack:${key}`, isOver)
      assert.equal(is, 'synced', `${key}: ${reason}`)
      const lines: string[] = []
      const look = { command: ['cat', '/x'], report: (line: string) => void lines.push(line) }
      await execIn(docker, `${key}-web-1`, look, new AbortController().signal)
      assert.deepEqual(lines, ['own'], key)
    }
    assert.deepEqual([through, asked], [[], []])
  })
}

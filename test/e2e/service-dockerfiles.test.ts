/** Dockerfiles that engines read otherwise than they look: refused with file and line on real Docker and real Podman. */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
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
  const [from, fetched] = [`FROM ${busybox}`, /:2:1: .*ADD http\S+, which .* is denied/]
  const linked = `${from} AS one\nRUN ln -s / /link\n${from}\n`
  return {
    'no-space': [
      `${linked}RUN --mount=type=bind,from=one,target=/h\uFEFF,source=link,rw true\n`,
      /:4:1: .*source may lead out of the build, is denied/,
    ],
    space: [`${from}\n\u0085ADD ${url}/space /x\n`, fetched],
    // what follows ONBUILD is read as a file of its own, of which U+FEFF may be the beginning
    again: [`${from} AS one\nONBUILD \uFEFFADD ${url}/again /x\nFROM one\n`, fetched],
    // engines of these versions read a list up to its end, whatever follows
    list: [`${from}\nADD ["${url}/list","/x"]more\n`, fetched],
    // Podman takes what is said last
    cache: [
      `${from}\nRUN --mount=type=bind,type=cache,id=c,target=/c true\n`,
      /:2:1: .*says type twice, is denied/,
    ],
    others: [
      `${from}\n${from}\nRUN --mount=type=bind,from=0,from=maker-web,target=/m cp /m/mark /x\n`,
      /:3:1: .*says from twice, is denied/,
    ],
  }
}

for (const [name, skip, start] of bothEngines) {
  void test(`Dockerfiles in disguise on ${name}`, { skip, timeout: 300_000 }, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    const { url, asked } = await page(t)
    const attacks = attacksWith(url)
    const folder = (): string => mkdtempSync(join(engine.root, 'service-'))
    const repo = fakeRepository(folder())
    const files = Object.entries(attacks).flatMap(([key, [dockerfile]]) => [
      [`${key}/compose.yaml`, compose],
      [`${key}/Dockerfile`, dockerfile],
    ])
    repo.commit({
      ...Object.fromEntries(files),
      'maker/compose.yaml': compose,
      'maker/Dockerfile': `FROM ${busybox}\nRUN echo mine > /mark\n`,
    })
    const made = (app: string, dependsOn: readonly string[] = []) =>
      stackOf(app, `unix://${engine.socket}`, { policy: { security: denyAll, dependsOn } })
    const apps = [made('maker'), ...Object.keys(attacks).map((key) => made(key, ['stack:maker']))]
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
    assert.deepEqual([through, asked], [[], []])
  })
}

/** Images between applications: no build takes a name that is another's, and what one application built no other one gets. */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { listContainers } from '#clients/docker/container-list.ts'
import { dockerAt } from '#clients/docker/client.ts'
import { dockerEngine } from '#clients/docker/container-engine.ts'
import { execIn } from '#clients/docker/exec.ts'
import { denyAll } from '#model/policy.ts'
import type { AppStatus } from '#model/service.ts'
import { fakeRepository } from '../fake/repository.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { busybox } from '../testbed/image.ts'
import { serve, stackOf, usualDeclarations } from '../testbed/serve.ts'

const never = new AbortController().signal

function web(said: string): string {
  return `services:
  web:
    command: sleep 1000
    stop_grace_period: 0s
    ${said}
`
}

function built(image: string): string {
  return web(`image: ${image}\n    build: .`)
}

function isOver({ state }: AppStatus): boolean {
  return state === 'failed' || state === 'synced'
}

type Attack = readonly [compose: string, dockerfile: string, told: RegExp]

const plain = `FROM ${busybox}\nRUN echo evil > /mark\n`

const builders = ['bait', 'fetcher', 'guest', 'usual', 'meanwhile', 'poison', 'clean']

/** The layer of the first RUN tells which names that build had, and when it was made. */
function layers(last: string): string {
  const look =
    'grep -Ec "files.test|more.test" /etc/hosts > /names; cat /proc/sys/kernel/random/uuid > /made'
  return `FROM ${busybox}\nRUN ${look}; true\nRUN echo ${last} > /mark\n`
}

type Page = { readonly url: string; readonly asked: () => readonly string[] }

/** A page on the loopback of the engine's host. */
async function page(t: TestContext): Promise<Page> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.end('secret of the host')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}/`, asked: () => asked }
}

function attacksWith(url: string): Readonly<Record<string, Attack>> {
  const taken = /building under the name \S+, which the container victim-web-1 uses, is denied/
  const others = /the image maker-web(:latest)?, which was built for images:stack:maker, is denied/
  const unlisted = /security: \{shared: \[image\/maker-web\]\}/
  const build = web('build: .')
  return {
    same: [built('base:1'), plain, taken],
    registry: [built('docker.io/library/base:1'), plain, taken],
    index: [built('index.docker.io/library/base:1'), plain, taken],
    library: [built('library/base:1'), plain, taken],
    tags: [web('build: { context: ., tags: ["base:1"] }'), plain, taken],
    pulled: [built(busybox), plain, /container .* uses, is denied/],
    present: [built('idle:1'), plain, /is there and was not built for it, is denied/],
    taking: [
      built('maker-web'),
      plain,
      /of an image that was built for images:stack:maker, is denied/,
    ],
    early: [
      built('waiting-web'),
      plain,
      /building under the name waiting-web, which is a name of stack:waiting, is denied/,
    ],
    'early-tag': [
      web('build: { context: ., tags: ["localhost/waiting-web:2"] }'),
      plain,
      /localhost\/waiting-web:2, which is a name of stack:waiting, is denied/,
    ],
    use: [web('image: maker-web'), '', unlisted],
    never: [web('image: maker-web:latest\n    pull_policy: never'), '', others],
    from: [build, 'FROM maker-web\n', others],
    copy: [build, `FROM ${busybox}\nCOPY --from=maker-web /mark /x\n`, others],
    argument: [build, 'ARG A=maker\nFROM ${A}-web\n', others],
    later: [
      build,
      `FROM ${busybox} AS one\nONBUILD COPY --from=maker-web /mark /x\nFROM one\n`,
      others,
    ],
    cache: [web('build: { context: ., cache_from: [maker-web] }'), plain, others],
    address: [
      build,
      `FROM ${busybox}\nADD ${url} /x\n`,
      /address\/Dockerfile:2:1: .*ADD http.*is denied/,
    ],
    list: [
      build,
      `FROM ${busybox}\nARG X=:\nADD ["'h'ttp\${X}${url.replace('http:', '')}", "/x"]\n`,
      /list\/Dockerfile:3:1: .*ADD http.*is denied/,
    ],
    // Podman before 4.9.4 mounts the host here
    link: [
      build,
      `FROM ${busybox} AS one\nRUN ln -s / /link\nFROM ${busybox}\nRUN --mount=type=bind,from=one,source=/link,target=/h,rw true\n`,
      /link\/Dockerfile:4:1: .*source may lead out of the build, is denied/,
    ],
    proxy: [
      web('build: { context: ., args: { HTTP_PROXY: maker-web } }'),
      `ARG HTTP_PROXY\nFROM \${HTTP_PROXY:-${busybox}}\n`,
      others,
    ],
    // it is built while this one waits, which ends it: what it would do with what it read is never done
    late: [
      build,
      `FROM ${busybox}\nRUN sleep 20\nCOPY --from=meanwhile-web /mark /x\nRUN sleep 1000\n`,
      /the image meanwhile-web, which was built for images:stack:meanwhile, is denied/,
    ],
    brought: [
      build,
      'FROM trap:1\n',
      /ADD http\S+, which .* as trap:1 has it \(ONBUILD\) is denied/,
    ],
    network: [
      build,
      `FROM ${busybox}\nRUN --network=host true\n`,
      /Dockerfile:2:1: .*RUN --network=host is denied/,
    ],
    folder: [build, 'FROM dir:/etc\n', /Dockerfile:1:1: .*dir:\/etc, .*is denied/],
  }
}

for (const [name, skip, start] of bothEngines) {
  void test(`images between applications on ${name}`, { skip, timeout: 400_000 }, async (t) => {
    const engine = await start()
    t.after(() => engine.stop())
    await engine.addImage('docker.io/library/base:1', 'good')
    await engine.addImage('docker.io/library/idle:1', 'idle')
    const { url, asked } = await page(t)
    const target = `unix://${engine.socket}`
    const docker = dockerAt({ address: target })
    t.after(() => docker.close())
    const images = dockerEngine(docker)
    const good = await images.imageId('base:1', never)
    const folder = (): string => mkdtempSync(join(engine.root, 'service-'))
    const repo = fakeRepository(folder())
    const attacks = attacksWith(url)
    const files = (mark: string): Record<string, string> => ({
      'victim/compose.yaml': web('image: base:1'),
      'user/compose.yaml': web(`image: ${busybox}`),
      'maker/compose.yaml': web('build: .'),
      // whose it is no file can say
      'maker/Dockerfile': `FROM ${busybox}\nLABEL tend/builder=images:stack:use io.containers.autoupdate=registry\nRUN echo ${mark} > /mark\n`,
      'guest/compose.yaml': web('image: maker-web'),
      'named/compose.yaml': built('mine/app:1'),
      'named/Dockerfile': `FROM ${busybox}\nRUN echo ${mark} > /mark\n`,
      'fetcher/compose.yaml': web('build: .'),
      'waiting/compose.yaml': web('build: .'),
      'fetcher/Dockerfile': `FROM ${busybox}\nADD ${url}allowed /x\n`,
      'meanwhile/compose.yaml': web('build: .'),
      'meanwhile/Dockerfile': `FROM ${busybox}\nRUN echo meanwhile > /mark\n`,
      // what everybody writes; another one has an image with the name of its stage
      'usual/compose.yaml': web('build: .'),
      'usual/Dockerfile': `ARG TAG=1\nFROM localhost/tend/busybox:\${TAG} AS squatted\nARG TAG\nFROM squatted\nARG TAG\nCOPY --from=squatted /etc /x\n`,
      'squatter/compose.yaml': built('squatted'),
      'squatter/Dockerfile': `FROM ${busybox}\nRUN true\n`,
      'bait/compose.yaml': built('trap:1'),
      'bait/Dockerfile': `FROM ${busybox}\nONBUILD ADD ${url} /x\n`,
      // with the same instructions, and names that lead elsewhere
      'poison/compose.yaml': web(
        'build: { context: ., extra_hosts: ["files.test:192.0.2.1", "more.test:192.0.2.2"] }',
      ),
      'poison/Dockerfile': layers('poison'),
      'clean/compose.yaml': web('build: .'),
      'clean/Dockerfile': layers(mark),
      ...Object.fromEntries(
        Object.entries(attacks).flatMap(([key, [compose, dockerfile]]) => [
          [`${key}/compose.yaml`, compose],
          ...(dockerfile === '' ? [] : [[`${key}/Dockerfile`, dockerfile]]),
        ]),
      ),
    })
    repo.commit(files('one'))
    const security = denyAll
    const first = ['victim', 'user', 'maker', 'named', 'squatter']
    const dependsOn = first.map((one) => `stack:${one}`)
    // its ONBUILD is refused in its own file: as if it came from a registry it is let through here
    const trusted = { ...denyAll, hostNamespaces: 'allow' } as const
    const shared = ['image/maker-web', 'image/trap:1']
    const slow = { security, timeout: 60_000 }
    const apps = [
      ...['late', 'meanwhile'].map((one) => stackOf(one, target, { policy: slow })),
      ...first.map((one) => stackOf(one, target, { policy: { security } })),
      ...['bait', 'fetcher'].map((one) => stackOf(one, target, { policy: { security: trusted } })),
      stackOf('poison', target, { policy: { security } }),
      stackOf('clean', target, { policy: { security, dependsOn: ['stack:poison'] } }),
      stackOf('waiting', target, { policy: { security, suspended: true } }),
      stackOf('usual', target, { policy: { security, dependsOn } }),
      stackOf('guest', target, { policy: { security: { ...denyAll, shared }, dependsOn } }),
      ...Object.keys(attacks)
        .filter((key) => key !== 'late')
        .map((key) =>
          stackOf(key, target, {
            policy: {
              security: key === 'brought' ? { ...denyAll, shared } : security,
              dependsOn: [...dependsOn, 'stack:bait'],
            },
          }),
        ),
    ]
    const declarations = { apps, concurrency: 4 }
    const service = serve({ folder: folder(), instance: 'images', repo, declarations })
    t.after(() => service.stop())
    await service.start()
    for (const one of [...first, ...builders]) {
      const { state, reason } = await service.until(`stack:${one}`, isOver)
      assert.equal(state, 'synced', `${one}: ${reason}`)
    }
    for (const [key, [, , told]] of Object.entries(attacks)) {
      const { state, reason } = await service.until(`stack:${key}`, isOver)
      assert.equal(state, 'failed', key)
      assert.match(reason, told, key)
    }
    // the engine itself fetches it, from the host's own loopback: only where that is allowed
    assert.deepEqual([...new Set(asked())], ['/allowed'])
    assert.equal(await images.imageId('base:1', never), good)
    const containers = await listContainers(docker, [], never)
    assert.deepEqual(containers.map((one) => one.name).toSorted(), [
      'bait-web-1',
      'clean-web-1',
      'fetcher-web-1',
      'guest-web-1',
      'maker-web-1',
      'meanwhile-web-1',
      'named-web-1',
      'poison-web-1',
      'squatter-web-1',
      'user-web-1',
      'usual-web-1',
      'victim-web-1',
    ])
    const inside = async (one: string, file: string): Promise<string> => {
      const lines: string[] = []
      const asked = { command: ['cat', file], report: (line: string) => void lines.push(line) }
      await execIn(docker, `${one}-web-1`, asked, never)
      return lines.join('\n').trim()
    }
    assert.equal(await inside('poison', '/names'), '2')
    assert.equal(await inside('clean', '/names'), '0', 'the layer of another')
    const made = await inside('clean', '/made')
    // the line that a refusal offers counts when it is written: nobody has to ask for a run
    const allowed = { ...denyAll, shared: ['image/idle:1'] }
    const present = stackOf('present', target, { policy: { security: allowed, dependsOn } })
    const others = apps.filter(({ application }) => application.name !== 'present')
    await service.reload({ ...usualDeclarations, ...declarations, apps: [...others, present] })
    await service.until('stack:present', ({ state }) => state === 'synced')
    // whoever built it builds it again, though others may use it by now
    const before = await images.imageId('mine/app:1', never)
    const next = repo.commit(files('two'))
    service.refresh()
    for (const one of ['maker', 'named', 'clean']) {
      await service.until(`stack:${one}`, ({ state, synced }) => {
        return state === 'synced' && synced?.revision === next
      })
    }
    assert.notEqual(await images.imageId('mine/app:1', never), before)
    assert.deepEqual(
      [await inside('clean', '/mark'), await inside('clean', '/made')],
      ['two', made],
    )
    const names = (await images.listImages(never)).flatMap((one) => one.names)
    assert.deepEqual(
      names.filter((one) => one.includes('tend-build')),
      [],
    )
    assert.equal(
      (await images.inspectImage('maker-web', never))?.labels['tend/builder'],
      'images:stack:maker',
    )
    // nobody learns by what the layers of another are known
    assert.equal((await images.inspectImage('clean-web', never))?.labels['tend/cache'], '')
    assert.doesNotMatch(JSON.stringify(service.lines), /tend\/cache=\w/)
    // Podman's timer would restart the unit of the host that an image names
    const labels = (await images.inspectContainer('maker-web-1', never))?.labels ?? {}
    const said = name === 'Podman' ? 'disabled' : 'registry'
    assert.equal(labels['io.containers.autoupdate'], said)
  })
}

/** A bad edit of tend.yaml under a running service, and refusals of a stack: said where operators look, all at once, until mended. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { AppStatus, SourceStatus } from '#model/service.ts'
import { servingOn, waitFor, type Serving } from '../testbed/serving.ts'

let serving: Serving

before(async () => {
  serving = await servingOn({ DOCKER_HOST: 'unix:///nonexistent/docker.sock' })
})
after(() => serving?.remove())

const good = `sources: { here: { directory: stacks } }
apps:
  - { stack: web, path: web, source: here }
  - { stack: risky, path: risky, source: here, security: warn }
`

async function sources(): Promise<readonly SourceStatus[]> {
  return JSON.parse(await (await serving.api('/api/v1/sources')).text())
}

async function app(key: string): Promise<AppStatus> {
  return JSON.parse(await (await serving.api(`/api/v1/apps/${key}`)).text())
}

async function ready(): Promise<string> {
  return (await fetch(`${serving.url}/readyz`)).text()
}

async function metrics(): Promise<string> {
  return (await serving.api('/metrics')).text()
}

function count(pattern: RegExp): number {
  return serving.log().match(new RegExp(pattern, 'g'))?.length ?? 0
}

test('all refusals of a Compose file are told at once, each with its line; what is only warned of, too', async () => {
  for (const name of ['web', 'risky'])
    mkdirSync(join(serving.folder, 'stacks', name), { recursive: true })
  const text = `services:
  web:
    image: busybox
    privileged: true
    pid: host
    volumes: ["/etc:/etc"]
`
  for (const name of ['web', 'risky']) {
    writeFileSync(join(serving.folder, 'stacks', name, 'compose.yaml'), text)
  }
  serving.declare(good)
  await serving.start()
  const refused = await serving.until('stack:web', ({ reason }) => reason.includes('privileged'))
  for (const line of [/compose\.yaml:4:/, /compose\.yaml:5:/, /compose\.yaml:6:/]) {
    assert.match(refused.reason, line)
    assert.match(serving.log(), line)
  }
  await serving.until('stack:risky', ({ warnings = [] }) => warnings.length >= 3)
  const { warnings = [] } = await app('stack:risky')
  assert.match(warnings.join('\n'), /privileged/)
  assert.equal((await app('stack:web')).warnings, undefined)
  const { out } = await serving.tend('get apps')
  assert.match(out, /warning: .*privileged/)
  const told = await serving.tend('status web')
  assert.match(`${told.out}${told.err}`, /compose\.yaml:4:\d+: web: privileged is denied/)
  assert.equal(count(/is warned of.*privileged/), 1, 'once in the log')
  assert.doesNotMatch(serving.log(), /can not be read/)
})

test('a bad edit: in /readyz, sources, tend get, the metric; and gone when it is mended', async () => {
  assert.match(await metrics(), /^tend_config_ok 1$/m)
  assert.doesNotMatch(await ready(), /refused/)
  serving.declare(`${good}defaults: { interval: often, drfit: repair }\nnonsense: 1\n`)
  await waitFor(async () => (await sources()).some(({ refType }) => refType === 'declarations'))
  const edit = (await sources()).find(({ refType }) => refType === 'declarations')
  assert.match(edit?.shown ?? '', /tend\.yaml$/)
  for (const word of [/interval/, /drfit/, /nonsense/, /tend\.yaml:6:/, /tend\.yaml:7:/]) {
    assert.match(edit?.problem?.message ?? '', word)
    assert.match(serving.log(), word)
  }
  assert.match(edit?.problem?.suggestion ?? '', /declared before stays in force/)
  assert.match(
    await ready(),
    /^ready\ndeclarations refused: what was declared before stays in force\n/,
  )
  assert.match(await metrics(), /^tend_config_ok 0$/m)
  const listed = await serving.tend('get apps')
  assert.match(`${listed.out}${listed.err}`, /the declarations are refused: .*tend\.yaml:6/)
  assert.match(listed.out, /^web /m, 'what was declared before stays')
  assert.match(
    (await serving.tend('get sources')).out.replaceAll(/\s+/g, ' '),
    /tend\.yaml.*failed.*stays in force/,
  )
  serving.declare(good)
  await waitFor(async () => (await sources()).every(({ refType }) => refType !== 'declarations'))
  assert.match(await metrics(), /^tend_config_ok 1$/m)
  assert.doesNotMatch(await ready(), /refused/)
})

/** What a change of a bound file or folder does, as `x-tend: { on-change: … }` says it. */
import assert from 'node:assert/strict'
import { inspectContainer } from '#clients/docker/containers.ts'
import { execIn } from '#clients/docker/exec.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import type { AppStatus } from '#model/service.ts'
import { busybox } from '../testbed/image.ts'
import { waitFor } from '../testbed/serving.ts'
import { onBothEngines } from './health-bench.ts'

const never = new AbortController().signal
const names = ['told', 'again', 'left', 'anew'] as const

/** `told` hears of it by a signal, `again` is restarted, `left` is left alone, `anew` says nothing. */
const compose = `services:
  told:
    image: ${busybox}
    command: sh -c "trap 'cat /conf/a > /tmp/heard' HUP; while sleep 0.1; do :; done"
    stop_grace_period: 0s
    volumes: [{ type: bind, source: ./conf, target: /conf, read_only: true, x-tend: { on-change: "signal:SIGHUP" } }]
  again:
    image: ${busybox}
    command: sh -c "cat /a > /tmp/heard; while sleep 0.1; do :; done"
    stop_grace_period: 0s
    x-tend: { on-change: restart }
    volumes: [./conf/a:/a:ro]
  left:
    image: ${busybox}
    command: sh -c "while sleep 0.1; do :; done"
    stop_grace_period: 0s
    x-tend: { on-change: ignore }
    volumes: [./conf:/conf:ro]
  anew:
    image: ${busybox}
    command: sh -c "while sleep 0.1; do :; done"
    stop_grace_period: 0s
    volumes: [./conf:/conf:ro]
`

function files(word: string, more = {}): Readonly<Record<string, string>> {
  return { 'site/compose.yaml': compose, 'site/conf/a': word, ...more }
}

onBothEngines('a change of what is bound', async ({ t, docker, served }) => {
  async function starts(): Promise<Readonly<Record<string, readonly [string, string]>>> {
    const all = names.map(async (name) => {
      const found = recordOf(await inspectContainer(docker, `site-${name}-1`, never))
      const started = textOf(recordOf(found['State'])['StartedAt'])
      return [name, [textOf(found['Id']), started] as const] as const
    })
    return Object.fromEntries(await Promise.all(all))
  }
  async function inside(name: string, command: string): Promise<string> {
    const lines: string[] = []
    const run = { command: ['sh', '-c', command], report: (line: string) => void lines.push(line) }
    await execIn(docker, `site-${name}-1`, run, never)
    return lines.join('\n')
  }
  const isSynced = ({ state }: AppStatus): boolean => state === 'synced'

  const app = await served('site', files('one', { 'site/conf/b': 'b' }))
  let status = await app.until(isSynced)
  async function commit(word: string, more = {}): Promise<void> {
    const before = status.synced?.hash
    app.repo.commit(files(word, more))
    app.service().refresh()
    status = await app.until((one) => isSynced(one) && one.synced?.hash !== before)
  }

  await t.test('a signal, a restart, nothing, or a new container', async () => {
    const before = await starts()
    assert.equal(await inside('again', 'cat /tmp/heard'), 'one')
    await commit('two')
    const after = await starts()
    for (const name of ['told', 'left'] as const) assert.deepEqual(after[name], before[name])
    assert.equal(after['again']?.[0], before['again']?.[0])
    assert.notEqual(after['again']?.[1], before['again']?.[1])
    assert.notEqual(after['anew']?.[0], before['anew']?.[0])
    await waitFor(async () => (await inside('told', 'cat /tmp/heard')) === 'two')
    await waitFor(async () => (await inside('again', 'cat /tmp/heard')) === 'two')
    for (const name of ['told', 'left']) {
      assert.equal(await inside(name, 'cat /conf/a; ls /conf'), 'twoa')
    }
  })

  await t.test('then it is as declared: nothing more is done, also after a restart', async () => {
    const before = await starts()
    const plan = await app.service().plan('stack:site', never)
    assert.deepEqual(plan.groups, [])
    await app.restart(async () => {})
    await app.until(isSynced)
    assert.deepEqual((await app.service().plan('stack:site', never)).groups, [])
    assert.deepEqual(await starts(), before)
  })

  await t.test('going back brings the files back too', async () => {
    const before = await starts()
    const { outcome } = await app.service().rollback('stack:site', undefined)
    assert.equal(outcome, 'succeeded')
    await waitFor(async () => (await inside('told', 'cat /tmp/heard')) === 'one')
    await waitFor(async () => (await inside('again', 'cat /tmp/heard')) === 'one')
    assert.equal(await inside('left', 'cat /conf/a; cat /conf/b'), 'oneb')
    assert.deepEqual((await starts())['told'], before['told'])
  })

  await t.test('a word that it does not know is refused, with its line', async () => {
    app.repo.commit({
      ...files('x'),
      'site/compose.yaml': compose.replace('restart }', 'reload }'),
    })
    app.service().refresh()
    const { reason } = await app.until(({ state }) => state === 'failed')
    assert.match(reason, /compose.yaml:11:\d+: on-change: "reload" is not known/)
  })
})

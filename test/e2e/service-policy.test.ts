/** What an operator may say about when and how things run: suspended, flagged, in order, in windows, put back, taken over. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { denyAll } from '#model/policy.ts'
import type { AppStatus } from '#model/service.ts'
import { memoryLeases, memoryNotes, memoryStore } from '#store/memory.ts'
import { composeOracle } from '../testbed/compose-oracle.ts'
import { busybox } from '../testbed/image.ts'
import { stackOf, treeOfStacks } from '../testbed/serve.ts'
import { onDocker, stackText } from './service-bench.ts'

const { path: compose, skip: lacking } = composeOracle()
const never = new AbortController().signal

function isSynced({ state }: AppStatus): boolean {
  return state === 'synced'
}

onDocker(async ({ t, engine, target, docker, repository, served, ids, containers }) => {
  async function kill(id: string | undefined): Promise<void> {
    await docker.ask('POST', `/containers/${id}/kill`, { signal: never, doing: 'kill' })
  }

  await t.test(
    'suspended: nothing is run until it is resumed, also after a restart',
    async (own) => {
      const repo = repository()
      repo.commit({ 'calm/compose.yaml': stackText({ web: 'a' }) })
      const memory = {
        store: memoryStore(),
        notes: memoryNotes(),
        leases: memoryLeases(() => Date.now()),
      }
      const declarations = { apps: [stackOf('calm', target)] }
      const first = served(own, { repo, declarations, ...memory })
      await first.start()
      await first.until('stack:calm', isSynced)
      assert.equal((await first.suspend('stack:calm')).state, 'suspended')
      await assert.rejects(first.sync('stack:calm'), { code: 'suspended' })
      await first.stop()
      repo.commit({ 'calm/compose.yaml': stackText({ web: 'b' }) })
      const second = served(own, { repo, declarations, ...memory })
      await second.start()
      assert.equal(second.app('stack:calm').state, 'suspended')
      const { synced } = second.app('stack:calm')
      await second.resume('stack:calm', 'maria')
      const status = await second.until('stack:calm', isSynced)
      assert.notEqual(status.synced?.hash, synced?.hash)
      // the run is because of whoever resumed it, and the next one because of whoever refreshes
      const [run] = await second.runs('stack:calm')
      assert.deepEqual([run?.trigger, run?.by], ['manual', 'maria'])
      repo.commit({ 'calm/compose.yaml': stackText({ web: 'c' }) }, 'third')
      second.refresh('leo')
      await second.until('stack:calm', ({ synced: now }) => now?.message === 'third')
      const [next] = await second.runs('stack:calm')
      assert.deepEqual([next?.trigger, next?.by], ['manual', 'leo'])
    },
  )

  await t.test(
    'drift flag: it is told and left until it is acknowledged; new commits are applied',
    async (own) => {
      const repo = repository()
      repo.commit({ 'flag/compose.yaml': stackText({ web: 'a' }) })
      const service = served(own, {
        repo,
        declarations: { apps: [stackOf('flag', target, { policy: { drift: 'flag' } })] },
      })
      await service.start()
      await service.until('stack:flag', isSynced)
      await kill((await ids('flag'))['web'])
      const drifted = await service.until('stack:flag', ({ state }) => state === 'drifted')
      assert.equal(drifted.needsAcknowledgement, true)
      assert.match(drifted.reason, /container\/web-1: it has stopped \(exit code 137\)/)
      const { outcome, status } = await service.acknowledge('stack:flag')
      assert.equal(outcome, 'succeeded')
      assert.equal(status.state, 'synced')
      assert.equal(status.needsAcknowledgement, false)
      repo.commit({ 'flag/compose.yaml': stackText({ web: 'b' }) }, 'new')
      service.refresh()
      await service.until(
        'stack:flag',
        ({ state, synced }) => state === 'synced' && synced?.message === 'new',
      )
    },
  )

  await t.test(
    'origin: flag holds back every difference; an acknowledgement is for that revision only',
    async (own) => {
      const repo = repository()
      repo.commit({ 'ack/compose.yaml': stackText({ web: 'a' }) })
      const policy = { drift: 'flag', flagsEverything: true } as const
      const memory = {
        store: memoryStore(),
        notes: memoryNotes(),
        leases: memoryLeases(() => Date.now()),
      }
      const declarations = { apps: [stackOf('ack', target, { policy })] }
      const service = served(own, { repo, declarations, ...memory })
      await service.start()
      const waiting = service.app('stack:ack')
      assert.equal(waiting.needsAcknowledgement, true)
      assert.equal(waiting.reason, 'drift detected, awaiting acknowledgement')
      const { outcome } = await service.acknowledge('stack:ack')
      assert.equal(outcome, 'succeeded')
      repo.commit({ 'ack/compose.yaml': stackText({ web: 'b' }) })
      service.refresh()
      await service.until('stack:ack', ({ needsAcknowledgement }) => needsAcknowledgement)
    },
  )

  await t.test(
    'dependsOn: what others need comes first, and they wait while it fails',
    async (own) => {
      const repo = repository()
      const bad = `services:\n  web: { image: "tend.invalid/none:1", pull_policy: never }\n`
      repo.commit({ 'app/compose.yaml': stackText({ web: 'a' }), 'base/compose.yaml': bad })
      const apps = [
        stackOf('app', target, { policy: { dependsOn: ['stack:base'] } }),
        stackOf('base', target),
      ]
      const service = served(own, { repo, declarations: { apps } })
      await service.start()
      await service.until('stack:base', ({ state }) => state === 'failed')
      const app = service.app('stack:app')
      assert.equal(app.state, 'missing')
      assert.equal(app.reason, 'waits for stack:base')
      repo.commit({
        'app/compose.yaml': stackText({ web: 'a' }),
        'base/compose.yaml': stackText({ web: 'a' }),
      })
      service.refresh()
      await service.until('stack:app', isSynced)
      assert.equal(service.app('stack:base').state, 'synced')
    },
  )

  await t.test(
    'dependsOn: who waits in a circle, or for what nobody declared, says so',
    async (own) => {
      const repo = repository()
      repo.commit({
        'hen/compose.yaml': stackText({ web: 'a' }),
        'egg/compose.yaml': stackText({ web: 'a' }),
        'lone/compose.yaml': stackText({ web: 'a' }),
      })
      const apps = [
        stackOf('hen', target, { policy: { dependsOn: ['stack:egg'] } }),
        stackOf('lone', target, { policy: { dependsOn: ['stack:nobody'] } }),
      ]
      const policy = { dependsOn: ['stack:hen'] }
      const discoveries = [treeOfStacks(target, { policy })]
      const service = served(own, { repo, declarations: { apps, discoveries } })
      await service.start()
      const reasons = ['hen', 'egg', 'lone'].map((name) => service.app(`stack:${name}`).reason)
      const hint = '(take one of them out of dependsOn)'
      assert.deepEqual(reasons, [
        `waits for stack:egg, in a circle: stack:hen → stack:egg → stack:hen ${hint}`,
        `waits for stack:hen, in a circle: stack:egg → stack:hen → stack:egg ${hint}`,
        'waits for stack:nobody, which nobody declared',
      ])
    },
  )

  await t.test(
    'windows: nothing runs by itself in a closed one; a sync by hand does',
    async (own) => {
      const repo = repository()
      repo.commit({ 'shut/compose.yaml': stackText({ web: 'a' }) })
      const windows = [
        { schedule: '* * * * *', duration: 3_600_000, timezone: 'UTC', action: 'deny' },
      ] as const
      const service = served(own, {
        repo,
        declarations: { apps: [stackOf('shut', target, { policy: { windows } })] },
      })
      await service.start()
      const status = service.app('stack:shut')
      assert.equal(status.state, 'missing')
      assert.match(status.reason, /^what its source says is not applied: its window is closed/)
      const { outcome } = await service.sync('stack:shut')
      assert.equal(outcome, 'succeeded')
    },
  )

  await t.test(
    'rollback: an earlier run is applied again and stays until there is a new revision',
    async (own) => {
      const repo = repository()
      repo.commit({ 'back/compose.yaml': stackText({ web: 'a' }) }, 'one')
      const service = served(own, { repo, declarations: { apps: [stackOf('back', target)] } })
      await service.start()
      await service.until('stack:back', isSynced)
      repo.commit({ 'back/compose.yaml': stackText({ web: 'b' }) }, 'two')
      service.refresh()
      await service.until(
        'stack:back',
        ({ state, synced }) => state === 'synced' && synced?.message === 'two',
      )
      const { outcome, status } = await service.rollback('stack:back', undefined)
      assert.equal(outcome, 'succeeded')
      assert.equal(status.synced?.message, 'one')
      assert.equal(status.desired?.message, 'two')
      assert.match(status.reason, /rolled back by hand/)
      const before = await ids('back')
      await kill(before['web'])
      await service.until('stack:back', ({ lastRun }) => lastRun?.trigger === 'drift')
      assert.deepEqual(await ids('back'), before)
      assert.equal(service.app('stack:back').synced?.message, 'one')
      // nothing waits for a word: none is taken for leave to apply the other one
      const { outcome: heard } = await service.acknowledge('stack:back')
      assert.equal(heard, undefined)
      assert.equal(service.app('stack:back').synced?.message, 'one')
      await assert.rejects(service.rollback('stack:back', 99), /has no run 99: it has 1 to \d/)
      const again = await service.sync('stack:back')
      assert.equal(again.status.synced?.message, 'two')
      assert.equal(again.status.reason, '')
    },
  )

  await t.test(
    'rollback across a moved tag: the old image stays, repairs included',
    async (own) => {
      const tag = 'localhost/moved:1'
      const plain = (id: string | undefined) => id?.replace('sha256:', '')
      const one = plain(await engine.addImage(tag, 'one'))
      const repo = repository()
      const text = stackText({ web: 'a' }).replace(/image: \S+/, `image: ${tag}`)
      repo.commit({ 'moved/compose.yaml': text }, 'one')
      const service = served(own, { repo, declarations: { apps: [stackOf('moved', target)] } })
      await service.start()
      await service.until('stack:moved', isSynced)
      const image = async () => plain((await containers('moved'))[0]?.imageId)
      assert.equal(await image(), one)
      const two = plain(await engine.addImage(tag, 'two'))
      // lists may serve a moment longer: no event tells that a tag moved
      while ((await image()) !== two) await service.sync('stack:moved')
      const { outcome } = await service.rollback('stack:moved', undefined)
      assert.equal(outcome, 'succeeded')
      assert.equal(await image(), one)
      await kill((await ids('moved'))['web'])
      await service.until(
        'stack:moved',
        ({ state, lastRun }) => lastRun?.trigger === 'drift' && state === 'synced',
      )
      assert.equal(await image(), one)
      while ((await image()) !== two) await service.sync('stack:moved')
    },
  )

  await t.test(
    'origin: a stack that docker-cd started is taken over as it is',
    { skip: lacking },
    async (own) => {
      const repo = repository()
      const yaml = stackText({ web: 'a', db: 'b' })
      repo.commit({ 'taken/compose.yaml': yaml })
      const folder = mkdtempSync(join(engine.root, 'origin-'))
      const labels = {
        'com.docker-cd.stack.path': 'taken',
        'com.docker-cd.desired.revision': 'abc',
        'com.docker-cd.desired.commit_message': 'costs $$5, "much"',
      }
      const more = { services: { web: { labels }, db: { labels } } }
      writeFileSync(join(folder, 'compose.yaml'), yaml)
      writeFileSync(join(folder, 'more.yaml'), JSON.stringify(more))
      const words = ['-p', 'taken', '-f', 'compose.yaml', '-f', 'more.yaml', 'up', '-d']
      const env = { ...process.env, DOCKER_HOST: `unix://${engine.socket}` }
      const { status, stderr } = spawnSync(compose, words, { cwd: folder, env, encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      const before = await ids('taken')
      const apps = [stackOf('taken', target)]
      const service = served(own, { repo, declarations: { apps, isOrigin: true } })
      await service.start()
      await service.until('stack:taken', isSynced)
      assert.ok(
        service.lines.some((line) => line.includes('"matching":3')),
        service.lines.join('\n'),
      )
      assert.deepEqual(await ids('taken'), before)
      await kill(before['db'])
      await service.until(
        'stack:taken',
        ({ lastRun, state }) => lastRun?.trigger === 'drift' && state === 'synced',
      )
      assert.deepEqual(await ids('taken'), before)
    },
  )

  await t.test(
    'what a policy only warns of is told once, though every run meets it',
    async (own) => {
      const repo = repository()
      const folder = mkdtempSync(join(engine.root, 'warned-'))
      const text = `services:
  web:
    image: ${busybox}
    command: [sleep, "1000"]
    stop_grace_period: 0s
    volumes: ["${folder}:/x"]
`
      repo.commit({ 'warned/compose.yaml': text })
      const security = { ...denyAll, outsideBinds: 'warn' } as const
      const apps = [stackOf('warned', target, { policy: { security } })]
      const service = served(own, { repo, declarations: { apps } })
      await service.start()
      const { warnings = [] } = await service.until('stack:warned', isSynced)
      assert.match(warnings.join(), new RegExp(folder))
      await kill((await ids('warned'))['web'])
      await service.until(
        'stack:warned',
        ({ lastRun, state }) => lastRun?.trigger === 'drift' && state === 'synced',
      )
      for (const words of [/^warning the declaration is warned of /, /^warning a run warns /]) {
        const told = service.lines.filter((line) => words.test(line) && line.includes(folder))
        assert.ok(told.length <= 1, told.join('\n'))
      }
      assert.ok(service.lines.some((line) => /^warning (the decl|a run)/.test(line)))
    },
  )
})

/** Containers on a real engine: every call that makes, moves, reads or asks one. */
import assert from 'node:assert/strict'
import { putFiles } from '#clients/docker/archive.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import {
  createContainer,
  inspectContainer,
  killContainer,
  removeContainer,
  renameContainer,
  restartContainer,
  startContainer,
  stopContainer,
  waitForExit,
} from '#clients/docker/containers.ts'
import { listen } from '#clients/docker/events.ts'
import { execIn } from '#clients/docker/exec.ts'
import { runHealthCheck } from '#clients/docker/health.ts'
import { lastLines, logsOf } from '#clients/docker/logs.ts'
import { factsOf } from '#clients/docker/system.ts'
import { tarBytes, type TarEntry } from '#clients/docker/tar.ts'
import { Problem } from '#model/problem.ts'
import { busybox } from '../testbed/image.ts'
import { freePort } from '../testbed/port.ts'
import { codeIs, file, signal, type Bench } from './engine-bench.ts'

export async function containerCases({ engineName, t, docker, create }: Bench): Promise<void> {
  await t.test('a container through its life', async () => {
    const { id } = await create('one', ['sh', '-c', 'echo out; echo err >&2; sleep 60'])
    await assert.rejects(create('one', ['true']), codeIs('name_taken'))
    const missing = createContainer(
      docker,
      { name: 'x1', body: { Image: 'localhost/n:1' } },
      signal,
    )
    await assert.rejects(missing, codeIs('image_not_found'))
    const made = await inspectContainer(docker, 'one', signal)
    assert.equal(made!['Id'], id)
    assert.equal((await listContainers(docker, ['test=one'], signal))[0]!.state, 'created')
    await waitForExit(docker, 'one', signal)
    await startContainer(docker, 'one', signal)
    await startContainer(docker, 'one', signal)
    const found = await listContainers(docker, ['test=one'], signal)
    assert.deepEqual(
      found.map(({ name, state, labels, image }) => [name, state, labels['test'], image]),
      [['one', 'running', 'one', busybox]],
    )
    assert.deepEqual(await listContainers(docker, ['test=two'], signal), [])
    let lines: readonly string[] = []
    while (lines.length < 2) lines = await lastLines(docker, 'one', 10, signal)
    assert.deepEqual(lines.toSorted(), ['err', 'out'])
    await renameContainer(docker, 'one', 'other', signal)
    assert.equal(await inspectContainer(docker, 'one', signal), undefined)
    await restartContainer(docker, 'other', 0, signal)
    await killContainer(docker, 'other', 'SIGKILL', signal)
    assert.equal(await waitForExit(docker, 'other', signal), 137)
    const [ended] = await listContainers(docker, ['test=one'], signal)
    assert.deepEqual([ended!.state, ended!.exitCode], ['exited', 137])
    await stopContainer(docker, 'other', 0, signal)
    await assert.rejects(killContainer(docker, 'other', 'SIGTERM', signal), codeIs('conflict'))
    await removeContainer(docker, 'other', true, signal)
    await removeContainer(docker, 'other', true, signal)
    await stopContainer(docker, 'other', 0, signal)
    await assert.rejects(startContainer(docker, 'other', signal), codeIs('not_found'))
  })

  await t.test('a wait ends when the container does, and so do followed logs', async () => {
    await create('job', ['sh', '-c', 'echo one; sleep 0.2; echo two; exit 3'])
    await startContainer(docker, 'job', signal)
    const seen: string[] = []
    const follow = async () => {
      const logs = await logsOf(docker, 'job', { isFollowed: true }, signal)
      for await (const { from, line } of logs) seen.push(`${from} ${line}`)
    }
    const [code] = await Promise.all([waitForExit(docker, 'job', signal), follow()])
    assert.equal(code, 3)
    assert.deepEqual(seen, ['stdout one', 'stdout two'])
    await removeContainer(docker, 'job', true, signal)
  })

  await t.test('a terminal has bare output', async () => {
    await create('term', ['sh', '-c', 'echo hello; echo there >&2'], { Tty: true })
    await startContainer(docker, 'term', signal)
    await waitForExit(docker, 'term', signal)
    assert.deepEqual(await lastLines(docker, 'term', 5, signal), ['hello', 'there'])
    await removeContainer(docker, 'term', true, signal)
  })

  await t.test('files go into one that was never started, owners and modes with them', async () => {
    await create('files', [
      'sh',
      '-c',
      'stat -c "%a %u:%g" /run/x/secret; cat /run/x/secret; sleep 60',
    ])
    const entries: readonly TarEntry[] = [
      { path: 'run', mode: 0o755, type: 'folder' },
      { path: 'run/x', mode: 0o755, type: 'folder' },
      file('run/x/secret', 'hush\n', { mode: 0o440, uid: 12, gid: 34 }),
      file(`run/x/${'long'.repeat(40)}`, 'long'),
      { path: 'run/x/link', mode: 0o777, type: 'link', target: 'secret' },
    ]
    await putFiles(docker, 'files', '/', tarBytes(entries), signal)
    await startContainer(docker, 'files', signal)
    let lines: readonly string[] = []
    while (lines.length < 2) lines = await lastLines(docker, 'files', 10, signal)
    assert.deepEqual(lines, ['440 12:34', 'hush'])
    const elsewhere = putFiles(docker, 'files', '/no/such', tarBytes(entries), signal)
    // Podman makes the folder
    if (engineName === 'Docker') await assert.rejects(elsewhere, codeIs('not_found'))
    else await elsewhere
    const said: string[] = []
    const run = (...command: readonly string[]) =>
      execIn(
        docker,
        'files',
        { command, environment: ['A=b'], folder: '/tmp', report: (line) => said.push(line) },
        signal,
      )
    assert.equal(await run('sh', '-c', 'echo $A; pwd >&2; cat /run/x/link; exit 4'), 4)
    assert.deepEqual(said.toSorted(), ['/tmp', 'b', 'hush'])
    assert.equal(await run('true'), 0)
    const isUnknown = (error: unknown) => error instanceof Problem
    const unknown = await run('no-such-command').catch((error: unknown) => error)
    assert.ok(isUnknown(unknown) || (typeof unknown === 'number' && unknown > 125), String(unknown))
    await stopContainer(docker, 'files', 0, signal)
    await assert.rejects(run('true'), codeIs('conflict'))
    await removeContainer(docker, 'files', true, signal)
  })

  await t.test('a port that is taken, and one that is published', async () => {
    const port = await freePort()
    const bound = { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: String(port) }] }
    const more = { ExposedPorts: { '80/tcp': {} }, HostConfig: { PortBindings: bound } }
    for (const name of ['web1', 'web2']) {
      await create(name, ['httpd', '-f', '-p', '80', '-h', '/www'], more)
    }
    await startContainer(docker, 'web1', signal)
    const [web] = await listContainers(docker, ['test=web1'], signal)
    assert.deepEqual(web!.ports, [
      { hostIP: '127.0.0.1', hostPort: port, containerPort: 80, protocol: 'tcp' },
    ])
    let text = ''
    for (let tries = 0; tries < 50 && text === ''; tries += 1) {
      text = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(200) })
        .then((answer) => answer.text())
        .catch(() => '')
    }
    assert.equal(text, 'hello\n')
    await assert.rejects(startContainer(docker, 'web2', signal), codeIs('port_taken'))
    for (const name of ['web1', 'web2']) await removeContainer(docker, name, true, signal)
  })

  await t.test('health is told, by the engine itself or when asked', async () => {
    const check = { Test: ['CMD-SHELL', 'test -e /ok'], Interval: 100_000_000, Retries: 1 }
    await create('checked', ['sleep', '60'], { Healthcheck: check })
    await startContainer(docker, 'checked', signal)
    const { runsChecksWhenAsked } = await factsOf(docker, signal)
    const isHealthy = async () => {
      if (runsChecksWhenAsked) return (await runHealthCheck(docker, 'checked', signal))!.isHealthy
      for (;;) {
        const [found] = await listContainers(docker, ['test=checked'], signal)
        assert.ok(found!.health !== undefined)
        if (found!.health !== 'starting') return found!.health === 'healthy'
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    assert.equal(await isHealthy(), false)
    const report = () => {}
    await execIn(docker, 'checked', { command: ['touch', '/ok'], report }, signal)
    for (let tries = 0; tries < 100 && !(await isHealthy()); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    assert.equal(await isHealthy(), true)
    await removeContainer(docker, 'checked', true, signal)
  })

  await t.test(
    'events arrive as they happen, filtered, and listening ends when told to',
    async () => {
      const control = new AbortController()
      const filter = { label: ['test=seen'], type: ['container'] }
      const events = await listen(docker, filter, control.signal)
      for (const name of ['unseen', 'seen']) {
        await create(name, ['true'])
        await startContainer(docker, name, signal)
      }
      const actions: string[] = []
      for await (const event of events) {
        assert.deepEqual([event.type, event.name], ['container', 'seen'])
        actions.push(event.action)
        if (event.action === 'die') await removeContainer(docker, 'seen', true, signal)
        if (event.action === 'destroy') break
      }
      control.abort()
      assert.deepEqual([actions[0], actions.includes('start')], ['create', true])
      await removeContainer(docker, 'unseen', true, signal)
    },
  )
}

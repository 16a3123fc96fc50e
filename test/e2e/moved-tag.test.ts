/** Going back across a tag that moved: a run brings back the very image that it used. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { requiredDocker, startDocker } from '../testbed/docker.ts'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { startRegistry } from '../testbed/registry.ts'
import { tendOn, type Tend, type Told } from '../testbed/tend.ts'

const tag = 'localhost/moved:latest'

function chart(image: string): Readonly<Record<string, string>> {
  return {
    'img/Chart.yaml': 'name: img\nversion: 1.0.0\n',
    'img/templates/web.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: web }
spec:
  image: ${image}
  command: ["/bin/sh", "-c"]
  args: ["cat /mark; exec sleep 1000"]
  stopTimeoutSeconds: 0
`,
  }
}

function compose(image: string): Readonly<Record<string, string>> {
  return {
    'img/compose.yaml': `name: img
services:
  web:
    image: ${image}
    command: ["/bin/sh", "-c", "cat /mark; exec sleep 1000"]
    stop_grace_period: 0s
`,
  }
}

async function well(told: Promise<Told>): Promise<string> {
  const { code, out, err } = await told
  assert.equal(code, 0, out + err)
  return out
}

type Words = { readonly up: string; readonly logs: string; readonly stack?: true }

/** The same story for a chart and a stack. */
async function story(shell: Tend, words: Words, move: () => Promise<unknown>): Promise<void> {
  const kind = words.stack === true ? 'compose ' : ''
  const name = words.stack === true ? '-p img' : 'img'
  const mark = async () => (await well(shell.tend(words.logs))).trim()
  await well(shell.tend(words.up))
  assert.match(await mark(), /one$/)
  await move()
  assert.match(await well(shell.tend(words.up)), /1 updated/)
  assert.match(await mark(), /two$/)

  const back = await well(shell.tend(`${kind}rollback ${name}`))
  assert.match(back, /1 updated/)
  assert.match(await mark(), /one$/)
  const status = await well(shell.tend(`${kind}status ${name}`))
  assert.match(status, /healthy|running/)
  assert.doesNotMatch(status, /another image|drift/)

  // the declaration is the same in all of them, and each is a run
  const there = await well(shell.tend(`${kind}rollback ${name}`))
  assert.match(there, /1 updated/)
  assert.match(await mark(), /two$/)
  await well(shell.tend(words.stack === true ? 'compose rollback 1 -p img' : 'rollback img 1'))
  assert.match(await mark(), /one$/)

  // what the tag means now comes back when it is asked for
  assert.match(await well(shell.tend(words.up)), /1 updated/)
  assert.match(await mark(), /two$/)
}

void test('a chart on Podman', { skip: required('podman') }, async (t) => {
  const podman = await startPodman()
  const shell = tendOn(podman.socket)
  t.after(async () => {
    shell.remove()
    await podman.stop()
  })
  await addImage(podman.socket, tag, 'one')
  shell.write(chart(tag))
  const words = { up: 'install ./img', logs: 'logs img web --tail 1' }
  await story(shell, words, () => addImage(podman.socket, tag, 'two'))

  await t.test('an image that is nowhere is told, and what runs stays', async () => {
    for (const id of untagged(podman.command)) {
      spawnSync(podman.command, ['image', 'rm', '-f', id])
    }
    const gone = await shell.tend('rollback img 1')
    assert.equal(gone.code, 1, gone.out + gone.err)
    assert.match(gone.out + gone.err, /is no longer here, and can't be pulled by its digest/)
    assert.match(await well(shell.tend('logs img web --tail 1')), /two/)
  })
})

function untagged(command: string): readonly string[] {
  const { stdout } = spawnSync(command, ['images', '-q', '--filter', 'dangling=true'], {
    encoding: 'utf8',
  })
  return stdout.trim().split('\n')
}

void test('a stack on Podman', { skip: required('podman') }, async (t) => {
  const podman = await startPodman()
  const shell = tendOn(podman.socket)
  t.after(async () => {
    shell.remove()
    await podman.stop()
  })
  await addImage(podman.socket, tag, 'one')
  shell.write(compose(tag))
  const words = { up: 'up -f img/compose.yaml', logs: 'compose logs -p img', stack: true } as const
  await story(shell, words, () => addImage(podman.socket, tag, 'two'))
})

void test('a stack on Docker', { skip: requiredDocker() }, async (t) => {
  const docker = await startDocker()
  const shell = tendOn(docker.socket)
  t.after(async () => {
    shell.remove()
    await docker.stop()
  })
  await docker.addImage(tag, 'one')
  shell.write(compose(tag))
  const words = { up: 'up -f img/compose.yaml', logs: 'compose logs -p img', stack: true } as const
  await story(shell, words, () => docker.addImage(tag, 'two'))
})

const lacking = required('podman') || required('docker-registry')

void test('an image that only its registry has still', { skip: lacking }, async (t) => {
  const registry = await startRegistry()
  const podman = await startPodman({ plainRegistries: [registry.host] })
  const shell = tendOn(podman.socket)
  t.after(async () => {
    shell.remove()
    await podman.stop()
    await registry.stop()
  })
  writeFileSync(join(shell.folder, 'auth.json'), registry.authFile)
  const environment = { REGISTRY_AUTH_FILE: join(shell.folder, 'auth.json') }
  async function publish(mark: string): Promise<void> {
    await addImage(podman.socket, `localhost/${mark}:1`, mark)
    await registry.push(podman.socket, `localhost/${mark}:1`, 'app:1')
    spawnSync(podman.command, ['rmi', '-f', `localhost/${mark}:1`, `${registry.host}/app:1`])
  }
  const pulling = chart(`${registry.host}/app:1`)
  shell.write({
    ...pulling,
    'img/templates/web.yaml': `${pulling['img/templates/web.yaml']}  imagePullPolicy: always\n`,
  })
  await publish('one')
  await well(shell.tend('install ./img', environment))
  await publish('two')
  await well(shell.tend('install ./img', environment))
  assert.match(await well(shell.tend('logs img web --tail 1')), /two/)
  for (const id of untagged(podman.command)) spawnSync(podman.command, ['image', 'rm', '-f', id])
  await well(shell.tend('rollback img', environment))
  assert.match(await well(shell.tend('logs img web --tail 1')), /one/)
})

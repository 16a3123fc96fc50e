/** Every shell block of the README and of docs/ that is marked to be run works as it is written, and prints what stands below it. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'
import { blocksOf, comparable, outputsIn, scriptOf } from './blocks.ts'

const skip = required('podman')
const pages = ['README.md', ...globSync('docs/*.md').toSorted()]
  .map((file) => ({ file, blocks: blocksOf(file, readFileSync(file, 'utf8')) }))
  .filter(({ blocks }) => blocks.length > 0)
let podman: TestPodman

before(async () => {
  if (skip !== false) return
  podman = await startPodman()
  await addImage(podman.socket)
})

after(async () => {
  if (skip === false) await podman.stop()
})

test('pages have blocks that are run', () => {
  const files = pages.map(({ file }) => file)
  for (const file of ['README.md', 'docs/quickstart-compose.md']) assert.ok(files.includes(file))
})

for (const { file, blocks } of pages) {
  test(`the blocks of ${file}`, { skip, timeout: 300_000 }, async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'tend-docs-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    const ports = await copyExamples(home)
    const said = await bash(home, withPorts(scriptOf(blocks), ports))
    const outputs = outputsIn(said.text)
    const commands = blocks.flatMap((block) =>
      block.commands.map((command) => ({ ...command, at: `${block.file}:${block.line}` })),
    )
    const last = commands[outputs.length - 1]
    assert.equal(said.code, 0, `${last?.at}: ${last?.script}\n${outputs.at(-1)}`)
    for (const [index, { expected, at, script }] of commands.entries()) {
      if (expected === undefined) continue
      const found = outputs[index] ?? ''
      const message = `${at}: ${script}\nprints:\n${found}`
      assert.deepEqual(comparable(found), comparable(expected.join('\n')), message)
    }
  })
}

/** By the port that the examples have. */
type Ports = ReadonlyMap<string, string>

/** With ports that are free: others may use the usual ones at this moment. */
async function copyExamples(home: string): Promise<Ports> {
  const ports = new Map<string, string>()
  cpSync('examples', join(home, 'examples'), { recursive: true })
  for (const [name, port] of [
    ['hello/values.yaml', '8088'],
    ['stack/compose.yaml', '8081'],
  ] as const) {
    const file = join(home, 'examples', name)
    const text = readFileSync(file, 'utf8')
    assert.ok(text.includes(port), `${file} has no ${port}`)
    ports.set(port, String(await freePort()))
    writeFileSync(file, withPorts(text, ports))
  }
  return ports
}

function withPorts(text: string, ports: Ports): string {
  return text.replaceAll(/\b\d{4}\b/g, (number) => ports.get(number) ?? number)
}

function bash(
  home: string,
  script: string,
): Promise<{ readonly code: number | null; readonly text: string }> {
  mkdirSync(join(home, 'tend'), { mode: 0o700 })
  const child = spawn('bash', ['-c', script], {
    cwd: home,
    env: {
      PATH: `${resolve('bin')}:${process.env['PATH']}`,
      HOME: home,
      TEND_HOME: join(home, 'tend'),
      CONTAINER_HOST: `unix://${podman.socket}`,
      DOCKER_HOST: `unix://${podman.socket}`,
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'user.name',
      GIT_CONFIG_VALUE_0: 'A Reader',
      GIT_CONFIG_KEY_1: 'user.email',
      GIT_CONFIG_VALUE_1: 'reader@example.org',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const parts: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => parts.push(text))
  }
  return new Promise((done) => child.on('exit', (code) => done({ code, text: parts.join('') })))
}

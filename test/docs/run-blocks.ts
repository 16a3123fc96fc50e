/** Runs the blocks of a page in one shell, in a folder of their own with the examples beside them, and compares what they print. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { freePort } from '../testbed/port.ts'
import { tendProgram } from '../testbed/program.ts'
import { comparable, outputsIn, scriptOf, type Block } from './blocks.ts'

export type Environment = Readonly<Record<string, string>>

/** `prepare` gets the folder, in which the shell starts. */
export async function runBlocks(
  blocks: readonly Block[],
  environment: Environment,
  prepare: (home: string) => void = () => {},
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'tend-docs-'))
  try {
    const ports = await copyExamples(home)
    prepare(home)
    const said = await bash(home, withPorts(scriptOf(blocks), ports), environment)
    compare(blocks, said)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

type Said = { readonly code: number | null; readonly text: string }

function compare(blocks: readonly Block[], said: Said): void {
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

function bash(home: string, script: string, environment: Environment): Promise<Said> {
  mkdirSync(join(home, 'tend'), { mode: 0o700 })
  const programs = dirname(resolve(tendProgram()))
  const { PATH: first = '', ...more } = environment
  const child = spawn('bash', ['-c', script], {
    cwd: home,
    env: {
      PATH: [first, programs, process.env['PATH']].filter(Boolean).join(':'),
      HOME: home,
      TEND_HOME: join(home, 'tend'),
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'user.name',
      GIT_CONFIG_VALUE_0: 'A Reader',
      GIT_CONFIG_KEY_1: 'user.email',
      GIT_CONFIG_VALUE_1: 'reader@example.org',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const parts: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => parts.push(text))
  }
  return new Promise((done) => child.on('exit', (code) => done({ code, text: parts.join('') })))
}

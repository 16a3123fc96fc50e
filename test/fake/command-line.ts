/** A command line on a fake world: real parsing, real commands, real engine; charts are folders with one file of JSON. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parse } from '#cli/arguments/parse.ts'
import { runCommand } from '#cli/run-command.ts'
import type { Session } from '#cli/session.ts'
import type { ChartInput, ChartRendered } from '#domains/charts/chart-input.ts'
import type { Json } from '#model/json.ts'
import { problemOf, type ProblemFacts } from '#model/problem.ts'
import type { Resource } from '#model/resource.ts'
import { vaultOf } from '#model/vault.ts'
import { memoryAudit, memoryNotes } from '#store/memory.ts'
import { memoryTimeline } from '#store/timeline.ts'
import { fakeClock } from './clock.ts'
import { freshMemory } from './run.ts'
import { fakeWorld, type World } from './world.ts'

/** `{ "container/web": { "image": "a", "needs": ["network/n"] } }`; `%name%` is replaced by a `--set name=…`. */
export type FakeChart = Readonly<Record<string, Json>>

export type Told = { readonly code: number; readonly out: string; readonly err: string }

export type CommandLine = {
  readonly world: World
  readonly session: Session
  readonly folder: string
  /** How often something was rendered. */
  readonly renders: () => number
  /** Writes a chart and gives its path. */
  readonly chart: (name: string, resources: FakeChart | string, version?: string) => string
  readonly tend: (line: string, signal?: AbortSignal) => Promise<Told>
  readonly remove: () => void
}

export function commandLine(environment: Record<string, string> = {}): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'tend-cli-'))
  const world = fakeWorld()
  let renders = 0
  const memory = {
    ...freshMemory(),
    notes: memoryNotes(),
    audit: memoryAudit(),
    timeline: memoryTimeline(),
    isShared: false,
    key: new Uint8Array(32),
  }
  const session: Session = {
    clock: fakeClock(),
    environment,
    home: join(folder, 'home'),
    instance: 'tend',
    build: 'test',
    holder: 'tend test (pid 1)',
    launcher: '/opt/tend/bin/tend',
    memory: async () => memory,
    memoryIfAny: async () => memory,
    reach: async () => ({
      ports: () => ({ kind: world.kind, target: world.target }),
      list: async () => ({ apps: new Map(), orphans: new Map() }),
      watch: () => assert.fail('the service alone watches'),
      ping: async () => undefined,
      close: () => undefined,
      recall: async () => [],
      async *logs(object, { tail }) {
        yield* [`${object} says one`, `${object} says two`].slice(-(tail ?? 2))
      },
    }),
    chartRenderer: async () => (input) => {
      renders += 1
      return render(input)
    },
    seed: async () => new Uint8Array(32),
    close: async () => undefined,
  }
  return {
    world,
    session,
    folder,
    renders: () => renders,
    chart(name, resources, version = '1.0.0') {
      const path = join(folder, name)
      mkdirSync(path, { recursive: true })
      writeFileSync(join(path, 'Chart.yaml'), `name: ${name}\nversion: ${version}\n`)
      const text = typeof resources === 'string' ? resources : JSON.stringify(resources)
      writeFileSync(join(path, 'resources.json'), text)
      return path
    },
    async tend(line, signal = new AbortController().signal) {
      const told = { out: '', err: '' }
      const stdout = { write: (text: string) => void (told.out += text) }
      const stderr = { write: (text: string) => void (told.err += text) }
      const streams = { stdin: Readable.from([]), stdout, stderr }
      const asked = parse(line.split(' ').filter(Boolean))
      if (asked.kind !== 'invocation') throw new TypeError(asked.kind)
      const code = await runCommand(asked.invocation, { streams, session, signal })
      return { code, ...told }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function render(input: ChartInput): ChartRendered {
  const { tree, layers } = input
  const about = textOf(tree.read('Chart.yaml'))
  const name = /^name: (.*)$/m.exec(about)?.[1] ?? ''
  const version = /^version: (.*)$/m.exec(about)?.[1] ?? ''
  let text = textOf(tree.read('resources.json'))
  for (const layer of layers) {
    if (layer.kind !== 'set') continue
    const [key, value] = layer.text.split('=')
    text = text.replaceAll(`%${key}%`, value ?? '')
  }
  const problems: ProblemFacts[] = []
  let declared: Record<
    string,
    { needs?: readonly string[]; wrong?: string; [key: string]: Json | undefined }
  > = {}
  try {
    declared = JSON.parse(text)
  } catch (thrown) {
    const at = { file: 'resources.json', line: 1, column: 1 }
    const { message } = problemOf(thrown)
    problems.push({ type: 'configuration', code: 'yaml_error', message, at })
  }
  const resources = Object.entries(declared).map(
    ([ref, { needs = [], wrong, ...spec }]): Resource => {
      const origin = { file: 'resources.json', line: 1, column: 1 }
      const own: ProblemFacts[] =
        wrong === undefined
          ? []
          : [{ type: 'validation', code: 'bad_value', message: wrong, ref, at: origin }]
      problems.push(...own)
      return {
        ref,
        spec: { object: ref.slice(ref.indexOf('/') + 1), ...spec },
        needs: needs.map((need) => ({ ref: need, until: 'exists', renew: false })),
        origin,
        problems: own,
      }
    },
  )
  return {
    resources,
    problems,
    warnings: [],
    isIncomplete: false,
    version,
    vault: vaultOf(new Map(), new Uint8Array([1])),
    chart: { name, version, description: '' },
    notes: [],
    values: {},
    message: '',
    manifests: [{ path: 'resources.json', text, faults: [] }],
  }
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes)
}

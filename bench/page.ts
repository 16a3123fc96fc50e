/** docs/benchmarks.md: what was measured, with which programs and on which machine. What is run again replaces its own rows alone. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { plotOf, type Curve } from './curve.ts'
import { holds, type Row } from './row.ts'

export type Section = {
  readonly name: string
  /** Only one part of the benchmark is run: what the page has of the other parts stays. */
  readonly isPart: boolean
  readonly rows: Row[]
  readonly curves: Curve[]
  /** Why it came to an end before the last row. */
  problem?: string
}

const page = 'docs/benchmarks.md'
const plots = 'docs/benchmarks'

export function writePage(section: Section): void {
  const { name, curves } = section
  mkdirSync(plots, { recursive: true })
  for (const curve of curves) writeFileSync(`docs/${fileOf(name, curve)}`, plotOf(curve))
  const text = readFileSync(page, 'utf8')
  writeFileSync(page, withSection(text, section, { machine: machineText(), run: runText() }))
}

/** `machine` stands over the table, `run` in each row that was measured now. */
export function withSection(
  text: string,
  section: Section,
  where: { readonly machine: string; readonly run: string },
): string {
  const [begin, end] = [`<!-- ${section.name} -->`, `<!-- end of ${section.name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < 0)
    throw new Error(`${page} has no place for ${section.name}: ${begin} … ${end}`)
  const before = text.slice(from, to).split('\n')
  // rows of two machines in one table would be compared with each other
  const kept = section.isPart && before.includes(where.machine) ? before : []
  const rows = mergeLines(
    kept.filter(isRow),
    section.rows.map((row) => lineOf(row, where.run)),
  )
  const images = mergeLines(
    kept.filter(isImage),
    section.curves.map((one) => imageOf(section.name, one)),
  )
  const body = [
    begin,
    where.machine,
    '',
    ...(rows.length === 0 ? [] : [...head, ...rows, '']),
    ...(section.problem === undefined
      ? []
      : [`The last run came to an end before its last row: ${firstLine(section.problem)}`, '']),
    ...images.flatMap((image) => [image, '']),
  ]
  return `${text.slice(0, from)}${body.join('\n')}${text.slice(to)}`
}

const head = ['| what | ratio | goal | holds | figures | measured |', '|---|---|---|---|---|---|']

function isRow(line: string): boolean {
  return line.startsWith('| ') && line !== head[0]
}

function isImage(line: string): boolean {
  return line.startsWith('![')
}

/** A newer line stands where the one of the same name stood; others come after all. */
function mergeLines(before: readonly string[], now: readonly string[]): readonly string[] {
  const merged = new Map(before.map((line) => [nameIn(line), line]))
  for (const line of now) merged.set(nameIn(line), line)
  return [...merged.values()]
}

/** What a row is about; the title of a plot. */
function nameIn(line: string): string {
  return line.split(isImage(line) ? '](' : ' | ')[0] ?? line
}

function lineOf(row: Row, run: string): string {
  const goal = `${row.goal.is} ${row.goal.than}`
  const isHeld = holds(row) ? 'yes' : '**no**'
  const cells = [row.name, row.measured.toFixed(2), goal, isHeld, row.behind, run]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}

function imageOf(name: string, curve: Curve): string {
  return `![${curve.title}](${fileOf(name, curve)})`
}

function fileOf(name: string, { title }: Curve): string {
  return `benchmarks/${name}-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.svg`
}

function machineText(): string {
  const all = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  const kernel = release().split('.').slice(0, 2).join('.')
  const programs = [
    ['Podman', 'podman', '--version'],
    ['Docker', 'dockerd', '--version'],
    ['PostgreSQL', 'postgres', '--version'],
    ['Git', 'git', '--version'],
  ] as const
  const versions = programs.flatMap(([title, program, word]) => {
    const { stdout } = spawnSync(program, [word], { encoding: 'utf8' })
    const version = /\d+(?:\.\d+)+/.exec(stdout ?? '')?.[0]
    return version === undefined ? [] : [`${title} ${version}`]
  })
  const machine = `${all.length} × ${all[0]?.model.trim() ?? '?'}, ${memory} GB, Linux ${kernel}`
  return `Machine: ${machine}; Node ${process.versions.node}, ${versions.join(', ')}.`
}

function runText(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${commit}, load ${(loadavg()[0] ?? 0).toFixed(1)}`
}

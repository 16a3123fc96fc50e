/** docs/benchmarks.md: what was measured, with which programs and on which machine. A part that is run again replaces itself alone. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { plotOf, type Curve } from './curve.ts'
import { holds, type Row } from './row.ts'

export type Section = {
  readonly name: string
  readonly rows: Row[]
  readonly curves: Curve[]
  /** Why it came to an end before the last row. */
  problem?: string
}

const page = 'docs/benchmarks.md'
const plots = 'docs/benchmarks'

export function writePage(section: Section): void {
  const text = readFileSync(page, 'utf8')
  const [begin, end] = [`<!-- ${section.name} -->`, `<!-- end of ${section.name} -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < 0)
    throw new Error(`${page} has no place for ${section.name}: ${begin} … ${end}`)
  writeFileSync(page, `${text.slice(0, from)}${begin}\n${bodyOf(section)}${text.slice(to)}`)
}

function bodyOf(section: Section): string {
  const { rows, curves, problem } = section
  const lines = rows.map((row) => {
    const goal = `${row.goal.is} ${row.goal.than}`
    const cells = [
      row.name,
      row.measured.toFixed(2),
      goal,
      holds(row) ? 'yes' : '**no**',
      row.behind,
    ]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  const head = ['| what | ratio | goal | holds | figures |', '|---|---|---|---|---|']
  return [
    whereText(),
    '',
    ...(lines.length === 0 ? [] : [...head, ...lines, '']),
    ...(problem === undefined
      ? []
      : [`It came to an end before its last row: ${firstLine(problem)}`, '']),
    ...curves.flatMap((curve) => [`![${curve.title}](${written(section.name, curve)})`, '']),
  ].join('\n')
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}

function written(name: string, curve: Curve): string {
  mkdirSync(plots, { recursive: true })
  const slug = curve.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const file = `${name}-${slug}.svg`
  writeFileSync(`${plots}/${file}`, plotOf(curve))
  return `benchmarks/${file}`
}

function whereText(): string {
  const all = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  const load = (loadavg()[0] ?? 0).toFixed(1)
  return `Measured on ${day} at ${commit}: ${all.length} × ${all[0]?.model.trim() ?? '?'}, ${memory} GB, Linux ${release().split('.').slice(0, 2).join('.')}, Node ${process.version}; load of the machine at the end ${load}.`
}

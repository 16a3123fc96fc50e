/**
 * `npm run bench [-- NAME[/PART]…] [--json] [--write]`: rows of name, measured ratio, goal, holds or not; exit 1 if a goal does not
 * hold. `kube/build` is one part of a benchmark.
 */
import { isCurve, type Curve } from './curve.ts'
import { writePage, type Section } from './page.ts'
import { holds, type Row } from './row.ts'

type Rows = () => AsyncIterable<Row | Curve>
/** Parts are run in this order, each with daemons of its own. */
type Bench = { readonly rows: Rows } | { readonly parts: Readonly<Record<string, Rows>> }

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  charts: () => import('./charts.ts'),
  compose: () => import('./compose.ts'),
  kube: () => import('./kube.ts'),
  service: () => import('./service.ts'),
  scale: () => import('./scale.ts'),
  fleet: () => import('./fleet.ts'),
  truth: () => import('./truth.ts'),
  hostile: () => import('./hostile.ts'),
  dashboard: () => import('./dashboard.ts'),
}

const [, , ...words] = process.argv
const isJson = words.includes('--json')
for (const word of words.filter((one) => one.startsWith('--'))) {
  if (!['--json', '--write'].includes(word))
    unknown(word, [...Object.keys(benches), '--json', '--write'])
}
const names = words.filter((word) => !word.startsWith('--'))
const isWritten = names.length === 0 || words.includes('--write')
const all: Row[] = []
for (const asked of await Promise.all(
  (names.length > 0 ? names : Object.keys(benches)).map(find),
)) {
  const section: Section = { name: asked.name, isPart: asked.isPart, rows: [], curves: [] }
  try {
    for await (const row of asked.rows()) {
      if (isCurve(row)) section.curves.push(row)
      else {
        section.rows.push(row)
        if (!isJson) console.log(line(row))
      }
      // hours may follow: what is known is on the page
      if (isWritten) writePage(section)
    }
  } catch (thrown) {
    // one that can't be run here hides no other
    section.problem = thrown instanceof Error ? thrown.message : String(thrown)
    console.error(`${asked.name}: ${section.problem}`)
    process.exitCode = 1
  }
  all.push(...section.rows)
  if (isWritten) writePage(section)
}
if (isJson) console.log(JSON.stringify(all.map((row) => ({ ...row, holds: holds(row) }))))
if (!all.every(holds)) process.exitCode = 1

async function find(word: string): Promise<{ name: string; isPart: boolean; rows: Rows }> {
  const [name = '', part] = word.split('/')
  const bench = await benches[name]?.()
  if (bench === undefined) return unknown(word, Object.keys(benches))
  const parts = 'parts' in bench ? bench.parts : {}
  if (part !== undefined) {
    const rows = parts[part]
    const known = Object.keys(parts).map((one) => `${name}/${one}`)
    return rows === undefined ? unknown(word, known) : { name, isPart: true, rows }
  }
  return { name, isPart: false, rows: 'rows' in bench ? bench.rows : () => inTurn(parts) }
}

async function* inTurn(parts: Readonly<Record<string, Rows>>): AsyncIterable<Row | Curve> {
  for (const rows of Object.values(parts)) yield* rows()
}

function unknown(word: string, known: readonly string[]): never {
  console.error(`no benchmark ${word}; there are: ${known.join(', ') || 'none'}`)
  process.exit(2)
}

function line(row: Row): string {
  const goal = `${row.goal.is} ${row.goal.than}×`
  const sign = holds(row) ? '✓' : '✗'
  return `${sign} ${row.name.padEnd(58)} ${`${row.measured.toFixed(2)}×`.padStart(8)}  ${goal.padEnd(14)} ${row.behind}`
}

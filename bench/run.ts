/** `npm run bench [-- NAME…] [--json] [--write]`: rows of name, measured ratio, goal, holds or not; exit 1 if a goal does not hold. */
import { isCurve, type Curve } from './curve.ts'
import { writePage, type Section } from './page.ts'
import { holds, type Row } from './row.ts'

/** Later issues add their own line here. */
const benches: Readonly<Record<string, () => Promise<{ rows(): AsyncIterable<Row | Curve> }>>> = {
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
const names = words.filter((word) => !word.startsWith('--'))
const asked = names.length > 0 ? names : Object.keys(benches)
const unknown = asked.filter((name) => benches[name] === undefined)
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}

const isWritten = names.length === 0 || words.includes('--write')
const all: Row[] = []
for (const name of asked) {
  const section: Section = { name, rows: [], curves: [] }
  try {
    for await (const row of (await benches[name]!()).rows()) {
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
    console.error(`${name}: ${section.problem}`)
    process.exitCode = 1
  }
  all.push(...section.rows)
  if (isWritten) writePage(section)
}
if (isJson) console.log(JSON.stringify(all.map((row) => ({ ...row, holds: holds(row) }))))
if (!all.every(holds)) process.exitCode = 1

function line(row: Row): string {
  const goal = `${row.goal.is} ${row.goal.than}×`
  const sign = holds(row) ? '✓' : '✗'
  return `${sign} ${row.name.padEnd(58)} ${`${row.measured.toFixed(2)}×`.padStart(8)}  ${goal.padEnd(14)} ${row.behind}`
}

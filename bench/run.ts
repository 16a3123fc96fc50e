/** `npm run bench -- NAME [--json]`: rows of name, measured ratio, goal, holds or not; exit 1 if a goal does not hold. */
import { holds, type Row } from './row.ts'

/** Later issues add their own line here. */
const benches: Readonly<Record<string, () => Promise<{ rows(): AsyncIterable<Row> }>>> = {
  charts: () => import('./charts.ts'),
  compose: () => import('./compose.ts'),
  kube: () => import('./kube.ts'),
  service: () => import('./service.ts'),
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

const rows: Row[] = []
for (const name of asked) {
  for await (const row of (await benches[name]!()).rows()) {
    rows.push(row)
    if (!isJson) console.log(line(row))
  }
}
if (isJson) console.log(JSON.stringify(rows.map((row) => ({ ...row, holds: holds(row) }))))
process.exitCode = rows.every(holds) ? 0 : 1

function line(row: Row): string {
  const goal = `${row.goal.is} ${row.goal.than}×`
  const sign = holds(row) ? '✓' : '✗'
  return `${sign} ${row.name.padEnd(58)} ${`${row.measured.toFixed(2)}×`.padStart(8)}  ${goal.padEnd(14)} ${row.behind}`
}

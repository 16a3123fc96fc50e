/** Sees to it that web/dist is what web/src says: built once, however many test files want it at the same time. */
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { buildDashboard } from '../../web/build.ts'

const place = 'web/dist'
const stamp = `${place}/stamp`

export async function provideDashboard(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of globSync('web/{src/**/*.*,build.ts}').toSorted()) {
    hash.update(file).update(readFileSync(file))
  }
  const wanted = hash.digest('hex')
  if (builtFrom() === wanted) return place
  const beside = `${place}-${process.pid}/`
  await buildDashboard(`${beside}new`)
  writeFileSync(`${beside}new/stamp`, wanted)
  put(beside, wanted)
  rmSync(beside, { recursive: true, force: true })
  return place
}

function builtFrom(): string | undefined {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    // nobody has built it yet
    return undefined
  }
}

/** Whoever comes second finds it there. */
function put(beside: string, wanted: string): void {
  mkdirSync(beside, { recursive: true })
  for (let tries = 0; builtFrom() !== wanted; tries += 1) {
    try {
      renameSync(place, `${beside}old-${tries}`)
    } catch {
      // there is none, or somebody else moved it away
    }
    try {
      renameSync(`${beside}new`, place)
    } catch (thrown) {
      if (tries > 20) throw thrown
    }
  }
}

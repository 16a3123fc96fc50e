/** `tend db`: migrates, copies or moves the database of the service. */
import {
  createReadStream,
  createWriteStream,
  existsSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '#model/problem.ts'
import { schemaVersion } from '#store/migrations.ts'
import { openStore, type Opened } from '#store/open.ts'
import type { Counts } from '#store/transfer.ts'
import { closest } from '../arguments/closest.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { usageProblem } from '../arguments/usage.ts'
import type { CommandContext } from '../session.ts'

const deeds = ['migrate', 'backup', 'export', 'import'] as const
type Deed = (typeof deeds)[number]

export async function db({ words, flags }: Invocation, context: CommandContext): Promise<number> {
  const { session, screen } = context
  const [word = '', file] = words
  const deed = deedOf(word, file)
  const address = session.environment['TEND_DATABASE']
  const keyFile = session.environment['TEND_KEY_FILE']
  const opened = await openStore({ home: session.home, keyFile, address })
  const shown = await shownPlace(opened, address, session.home)
  try {
    if (deed === 'import' || (deed === 'export' && !flags.isSure)) {
      await checkIdle(opened, shown, deed)
    }
    const key = keyFile ?? join(session.home, 'key')
    screen.print(await done(deed, file ?? '', opened, { shown, key }, flags.isSure))
    return 0
  } finally {
    await opened.store.close()
  }
}

function deedOf(word: string, file: string | undefined): Deed {
  const deed = deeds.find((one) => one === word)
  if (deed === undefined) {
    const meant = closest(word, deeds)
    const advice = meant === undefined ? `there are: ${deeds.join(', ')}` : `did you mean ${meant}?`
    throw usageProblem(`tend db does not know ${JSON.stringify(word)}`, advice)
  }
  if (deed !== 'migrate' && file === undefined) {
    throw usageProblem(`tend db ${deed} needs a file`, `tend db ${deed} FILE`)
  }
  return deed
}

async function done(
  deed: Deed,
  file: string,
  opened: Opened,
  { shown, key }: { readonly shown: string; readonly key: string },
  isSure: boolean,
): Promise<readonly string[]> {
  switch (deed) {
    case 'migrate':
      return [`${shown} is up to date (schema ${schemaVersion}).`]
    case 'import':
      return [
        `Imported into ${shown}: ${countsText(await importFrom(file, opened, shown, isSure))}.`,
      ]
    case 'backup':
      if (!opened.isShared) {
        checkNew(file)
        // made before, so that nobody else may read it: SQLite fills a file that is empty
        writeFileSync(file, '', { mode: 0o600, flag: 'wx' })
        await opened.database.rows('vacuum into ?', [file])
        return [`${file} is a copy of ${shown}. Keep its key too: ${key}`]
      }
      break
    case 'export':
      break
  }
  return [`Exported from ${shown} to ${file}: ${countsText(await exportTo(file, opened))}.`]
}

async function exportTo(file: string, { database }: Opened): Promise<Counts> {
  checkNew(file)
  const { exported } = await import('#store/transfer.ts')
  let counts: Counts = {}
  async function* lines(): AsyncGenerator<string> {
    counts = yield* exported(database)
  }
  try {
    await pipeline(Readable.from(lines()), createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  } catch (thrown) {
    rmSync(file, { force: true })
    throw thrown
  }
  return counts
}

async function importFrom(
  file: string,
  { database, key }: Opened,
  shown: string,
  isSure: boolean,
): Promise<Counts> {
  if (!existsSync(file)) {
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `there is no file ${file}`,
      suggestion: 'make one: tend db export FILE',
    })
  }
  const { imported } = await import('#store/transfer.ts')
  return imported(database, linesIn(file), shown, isSure ? undefined : key)
}

/** Opened by whoever takes the first line: lines that are read before anybody waits for them are lost. */
async function* linesIn(file: string): AsyncGenerator<string> {
  const input = createReadStream(file, 'utf8')
  try {
    yield* createInterface({ input, crlfDelay: Infinity })
  } finally {
    input.destroy()
  }
}

function checkNew(file: string): void {
  if (statSync(dirname(resolve(file)), { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `there is no folder ${dirname(file)}`,
      suggestion: `make it, readable by you alone: mkdir -m 700 ${dirname(file)}`,
    })
  }
  if (!existsSync(file)) return
  throw new Problem({
    type: 'configuration',
    code: 'name_taken',
    message: `${file} is there already`,
    suggestion: 'give another name: nothing is written over',
  })
}

/** While a service writes, an export would hold half of its work, and an import would be mixed with it. */
async function checkIdle({ leases }: Opened, shown: string, deed: Deed): Promise<void> {
  const taken = await leases.take('service', `tend db ${deed}`)
  if ('release' in taken) return taken.release()
  const anyway = deed === 'export' ? ', or add --yes to export all the same' : ''
  throw new Problem({
    type: 'configuration',
    code: 'held',
    message: `a service uses ${shown}: ${taken.name}`,
    suggestion: `end it first${anyway}`,
  })
}

async function shownPlace(
  opened: Opened,
  address: string | undefined,
  home: string,
): Promise<string> {
  if (!opened.isShared || address === undefined) return join(home, 'tend.db')
  return (await import('#store/postgres.ts')).shownAddress(address)
}

function countsText(counts: Counts): string {
  const parts = Object.entries(counts).map(([table, count]) => `${count} ${table}`)
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

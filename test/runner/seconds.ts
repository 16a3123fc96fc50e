/** How long each test file took when it last passed, so that the longest start first. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../testbed/image.ts'

type Book = Readonly<Record<string, number>>

/** On a machine that has none yet, this: what was long when it was last measured. */
const start = join(import.meta.dirname, 'seconds.json')

export function readSeconds(): Book {
  return { ...readBook(start), ...readBook(bookPath()) }
}

export function writeSeconds(news: Book): void {
  const book = Object.entries({ ...readBook(bookPath()), ...news }).toSorted((a, b) => b[1] - a[1])
  writeFileSync(`${bookPath()}.new`, `${JSON.stringify(Object.fromEntries(book), null, 2)}\n`)
  renameSync(`${bookPath()}.new`, bookPath())
}

function bookPath(): string {
  return join(cacheFolder(), 'test-seconds.json')
}

function readBook(path: string): Book {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // none yet, or harmed: the order of files is all that depends on it
    return {}
  }
}

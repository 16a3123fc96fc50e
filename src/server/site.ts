/** The dashboard's files, read once: a path names one of them, or the page itself. */
import { allKinds } from '#kinds/all.ts'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ready, type Body, type Reply } from './reply.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Names in this folder hold the hash of what is in them: they never change. */
const lasting = '/assets/'
/** Addresses below these end in the name of an application, which may have a dot: they are pages of the dashboard, not files. */
const pages: ReadonlySet<string | undefined> = new Set([
  'apps',
  'plans',
  ...allKinds.flatMap(({ rows, words }) => (rows === undefined ? [] : [words.plural])),
])

/** No request ever reaches the file system: what was not there at the start is not there. */
export function siteOf(folder: string): (path: string) => Reply | undefined {
  const files = new Map<string, Reply>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || isCompressed(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const path = file.slice(folder.replace(/\/$/, '').length)
    files.set(path, ready(bodyOf(file, path.startsWith(lasting))))
  }
  return (path) => {
    const [, folderOfPage, name] = path.split('/')
    const isPage = extname(path) === '' || (name !== undefined && pages.has(folderOfPage))
    return files.get(path) ?? (isPage ? files.get('/index.html') : undefined)
  }
}

/** Compressed files lie beside, as the build made them. */
function bodyOf(file: string, isLasting: boolean): Body {
  const bytes = readFileSync(file)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const type = types[extname(file)] ?? 'application/octet-stream'
  const read = (path: string) => (existsSync(path) ? readFileSync(path) : undefined)
  return { type, bytes, etag, isLasting, br: read(`${file}.br`), gzip: read(`${file}.gz`) }
}

function isCompressed(name: string): boolean {
  return name.endsWith('.br') || name.endsWith('.gz')
}

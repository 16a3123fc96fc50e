/** The dashboard's files, read once: a path names one of them, or the page itself. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ready, type Reply } from './reply.ts'

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

/** No request ever reaches the file system: what was not there at the start is not there. */
export function siteOf(folder: string): (path: string) => Reply | undefined {
  const files = new Map<string, Reply>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = readFileSync(file)
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
    const type = types[extname(file)] ?? 'application/octet-stream'
    files.set(file.slice(folder.replace(/\/$/, '').length), ready({ type, bytes, etag }))
  }
  return (path) => files.get(path) ?? (extname(path) === '' ? files.get('/index.html') : undefined)
}

/** The dashboard's files, read once: a path names one of them, or the page itself. */
import { allKinds } from '#kinds/all.ts'
import { createHash } from 'node:crypto'
import { extname } from 'node:path'
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

/** What a site consists of, by the path that a request names. */
export type SiteFiles = ReadonlyMap<string, Buffer>

/** No request ever reaches the file system: what was not there at the start is not there. */
export function siteOf(files: SiteFiles): (path: string) => Reply | undefined {
  const replies = new Map<string, Reply>()
  for (const [path, bytes] of files) {
    if (!isCompressed(path)) replies.set(path, ready(bodyOf(path, bytes, files)))
  }
  return (path) => {
    const [, folderOfPage, name] = path.split('/')
    const isPage = extname(path) === '' || (name !== undefined && pages.has(folderOfPage))
    return replies.get(path) ?? (isPage ? replies.get('/index.html') : undefined)
  }
}

/** Compressed files lie beside, as the build made them. */
function bodyOf(path: string, bytes: Buffer, files: SiteFiles): Body {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  const type = types[extname(path)] ?? 'application/octet-stream'
  const isLasting = path.startsWith(lasting)
  return {
    type,
    bytes,
    etag,
    isLasting,
    br: files.get(`${path}.br`),
    gzip: files.get(`${path}.gz`),
  }
}

function isCompressed(path: string): boolean {
  return path.endsWith('.br') || path.endsWith('.gz')
}

/** Puts an answer on the wire, with the headers that every answer has. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Body } from './reply.ts'

/** Nothing here is a page: no script, no frame, no guessing of types. */
const safeHeaders: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'same-origin',
]

/** The dashboard's page brings its own scripts and styles, and speaks with nobody else. */
const pagePolicy =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self';"
const pageHeaders = safeHeaders.map((text) => text.replace("default-src 'none';", pagePolicy))
/** A year: names of such files hold the hash of what is in them. */
const forEver = 'public, max-age=31536000, immutable'

export function sendBytes(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: Body,
  more: readonly string[] = [],
): void {
  const { type, etag, isLasting = false } = body
  const { bytes, coding } = codedFor(request, body)
  if (response.headersSent || response.destroyed) return
  if (etag !== undefined && status === 200 && matches(request.headers['if-none-match'], etag)) {
    response.writeHead(304, [...safeHeaders, 'ETag', etag, 'Cache-Control', 'no-cache'])
    response.end()
    return
  }
  const headers = [
    ...(type.startsWith('text/html') ? pageHeaders : safeHeaders),
    'Content-Type',
    type,
    'Content-Length',
    String(bytes.length),
    'Cache-Control',
    isLasting ? forEver : etag === undefined ? 'no-store' : 'no-cache',
  ]
  if (body.br !== undefined || body.gzip !== undefined) headers.push('Vary', 'Accept-Encoding')
  if (coding !== undefined) headers.push('Content-Encoding', coding)
  if (etag !== undefined) headers.push('ETag', etag)
  response.writeHead(status, more.length === 0 ? headers : [...headers, ...more])
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

type Coded = { readonly bytes: Buffer; readonly coding: string | undefined }

/** The smallest form that the reader takes. */
function codedFor(request: IncomingMessage, { bytes, br, gzip }: Body): Coded {
  const taken = request.headers['accept-encoding'] ?? ''
  if (br !== undefined && /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(taken))
    return { bytes: br, coding: 'br' }
  if (gzip !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(taken)) {
    return { bytes: gzip, coding: 'gzip' }
  }
  return { bytes, coding: undefined }
}

export function beginStream(response: ServerResponse, type: string): void {
  response.writeHead(200, [
    ...safeHeaders,
    'Content-Type',
    type,
    'Cache-Control',
    'no-cache, no-transform',
    'X-Accel-Buffering',
    'no',
  ])
  response.flushHeaders()
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return (
    header.trim() === '*' ||
    header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
  )
}

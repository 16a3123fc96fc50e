/** The part of a snapshot that runs can share: packed, and named by what it holds. */
import { createHash } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import type { StoredSnapshot } from '#model/store.ts'
import { jsonText } from './json-text.ts'

type Body = Pick<StoredSnapshot, 'version' | 'resources'>

export function packed({ version, resources }: Body): {
  readonly hash: string
  readonly body: Uint8Array
} {
  const text = jsonText({ version, resources })
  return { hash: createHash('sha256').update(text).digest('hex'), body: deflateSync(text) }
}

export function unpacked(body: Uint8Array): Body {
  return JSON.parse(inflateSync(body).toString())
}

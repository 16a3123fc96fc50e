/** An answer that lies ready as bytes until something changes. */
import { withoutSecretShapes } from '#model/secret-shapes.ts'
import { createHash } from 'node:crypto'
import { jsonType, type Body } from '../reply.ts'

export type Cached = { get(): Body; forget(): void }

export function cached(make: () => unknown): Cached {
  let body: Body | undefined
  return {
    get() {
      if (body === undefined) {
        const bytes = Buffer.from(withoutSecretShapes(JSON.stringify(make())))
        const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
        body = { type: jsonType, bytes, etag: `"${hash}"` }
      }
      return body
    },
    forget() {
      body = undefined
    },
  }
}

/** What an image is built from, as far as it can be told before anything is built. */
import { createHash } from 'node:crypto'
import { recordOf, textOf } from '#clients/http/read.ts'
import { hashOf, type JsonRecord } from '#model/json.ts'
import { dockerIgnore } from '../dockerignore.ts'
import type { BuildSpec } from '../spec.ts'
import type { Stage } from './stage.ts'

export function buildOf(stage: Stage, service: JsonRecord): BuildSpec | undefined {
  if (service['build'] === undefined) return undefined
  const { context: where, ...definition } = recordOf(service['build'])
  const context = textOf(where)
  return { context, definition, hash: hashOf([definition, contentHash(stage, context)]) }
}

/** Paths and bytes of all files. Without a way to list them nothing is known of the context, and only its definition counts. */
function contentHash({ input }: Stage, context: string): string {
  const { files } = input.load
  if (input.list === undefined) return ''
  const rules = files.read(`${context}/.dockerignore`)
  const ignored = dockerIgnore(rules === undefined ? '' : Buffer.from(rules).toString('utf8'))
  const hash = createHash('sha256')
  for (const path of input.list(context).toSorted()) {
    const name = path.slice(context.length + 1)
    if (ignored(name)) continue
    const content = files.read(path)
    if (content === undefined) continue
    hash.update(`${name}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

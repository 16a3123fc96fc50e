/** What an image is built from, as far as it can be told before anything is built. */
import { createHash } from 'node:crypto'
import { recordOf, textOf } from '#clients/http/read.ts'
import { hashOf, type JsonRecord } from '#model/json.ts'
import type { BuildSpec } from '../spec.ts'
import type { Stage } from './stage.ts'

export function buildOf(stage: Stage, _name: string, service: JsonRecord): BuildSpec | undefined {
  if (service['build'] === undefined) return undefined
  const { context: where, ...definition } = recordOf(service['build'])
  const context = textOf(where)
  return { context, definition, hash: hashOf([definition, contentHash(stage, context)]) }
}

/** Paths and bytes of all files. Without a way to list them nothing is known of the context, and only its definition counts. */
function contentHash({ input }: Stage, context: string): string {
  if (input.list === undefined) return ''
  const hash = createHash('sha256')
  for (const path of input.list(context).toSorted()) {
    const content = input.load.files.read(path)
    if (content === undefined) continue
    hash.update(`${path.slice(context.length)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** What an image is built from, as far as it can be told before anything is built. */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path/posix'
import { isLocalContext } from '#formats/compose/load/paths.ts'
import type { Service } from '#formats/compose/schema/file.ts'
import { hashOf } from '#model/json.ts'
import { isBelow } from '#model/policy.ts'
import { dockerIgnore } from '../dockerignore.ts'
import type { BuildSpec } from '../spec.ts'
import type { Stage } from './stage.ts'

export function buildOf(stage: Stage, service: Service): BuildSpec | undefined {
  if (service.build === undefined) return undefined
  const { context = '', ...definition } = service.build
  if (!isLocalContext(context)) return { context, definition, hash: hashOf([definition, '']) }
  const hash = hashOf([definition, contentHash(stage, context)])
  const dockerfile = outsideDockerfile(context, definition.dockerfile ?? '')
  const placed = dockerfile === undefined ? {} : { dockerfile: stage.placing.contextAt(dockerfile) }
  return {
    context: stage.placing.contextAt(context),
    definition: { ...definition, ...placed },
    hash,
  }
}

/** A Dockerfile that lies outside of its build context. */
function outsideDockerfile(context: string, named: string): string | undefined {
  const path = resolve(context, named)
  return named === '' || isBelow(path, context) ? undefined : path
}

/** Paths and bytes of all files. Without a way to list them nothing is known of the context, and only its definition counts. */
function contentHash({ input }: Stage, context: string): string {
  const { files } = input.load
  if (input.list === undefined || !files.isDirectory(context)) return ''
  const rules = files.read(`${context}/.dockerignore`)
  const ignored = dockerIgnore(rules === undefined ? '' : Buffer.from(rules).toString('utf8'))
  const hash = createHash('sha256')
  for (const path of input.list(context).toSorted()) {
    const name = path.slice(context.length + 1)
    if (ignored(name)) continue
    const target = input.linkAt?.(path)
    const content = target === undefined ? files.read(path) : Buffer.from(`link ${target}`)
    if (content === undefined) continue
    hash.update(`${name}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

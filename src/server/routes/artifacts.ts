/** Files of sources for other controllers of a cluster: who knows the address may have them. */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'
import { notFound } from '../access/refusals.ts'
import { route, type Route } from '../route.ts'
import type { RouteContext } from './route-context.ts'

const type = 'application/gzip'

export function artifactRoutes({ artifactFile }: RouteContext): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/artifacts/{path*}',
      access: 'open',
      name: 'artifact',
      summary: 'The files of a GitRepository, as its status names them',
      params: z.object({ path: z.string() }),
      answers: { 200: { says: 'a tar archive, packed with gzip', body: { type } } },
      handle({ params: { path } }) {
        const file = artifactFile?.(`artifacts/${path}`)
        if (file === undefined) throw missing()
        return {
          kind: 'stream',
          type,
          // a reader that goes is no news
          write: (response) => pipeline(createReadStream(file), response).catch(() => undefined),
        }
      },
    }),
  ]
}

function missing() {
  const suggestion = 'status.artifact.url of the GitRepository says where its newest one is'
  return notFound('there is no such artifact', suggestion)
}

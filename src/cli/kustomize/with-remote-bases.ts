/** Builds of a user with bases on other machines. They are fetched before the build that needs them, if the environment allows it. */
import { join } from 'node:path'
import type { Files } from '#formats/kustomize/build.ts'
import { KustomizeError } from '#formats/kustomize/error.ts'
import { missingRemotes } from '#formats/kustomize/load/missing-remotes.ts'
import { remoteBaseOf } from '#formats/kustomize/load/remote.ts'
import { originsIn, remoteBasesOf } from '#sources/remote-bases.ts'
import type { CommandContext } from '../session.ts'
import { diskFiles } from './disk-files.ts'

/** How often is fetched: a base may need further ones. */
const mostRounds = 10

export async function withRemoteBases<Result>(
  path: string,
  build: (files: Files) => Result,
  { session, signal }: CommandContext,
): Promise<Result> {
  const { environment, home } = session
  const origins = originsIn(environment)
  const cache = join(home, 'sources')
  const bases = remoteBasesOf({ origins: () => origins, cache, environment })
  const folders = new Map<string, string>()
  const files: Files = { ...diskFiles, remoteRoot: (address) => folders.get(address) }
  for (let round = 0; ; round += 1) {
    try {
      return build(files)
    } catch (error) {
      if (!(error instanceof KustomizeError) || error.needs !== 'remote') throw error
      const asked = missingRemotes(files, path).flatMap((address) => {
        const base = remoteBaseOf(address)
        return base === undefined ? [] : [{ address, base }]
      })
      const isAllowed = asked.every(({ base }) => bases.isAllowed(base))
      if (asked.length === 0 || !isAllowed || round >= mostRounds) throw error
      await Promise.all(
        asked.map(async ({ address, base }) => {
          const { files: fetched } = await bases.fetch(base, undefined, signal)
          folders.set(address, fetched.folder.slice(1))
        }),
      )
    }
  }
}

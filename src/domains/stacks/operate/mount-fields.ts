/** Podman writes a mount in one line and reads that again: behind a comma or colon in a path it finds further fields. */
import { Problem } from '#model/problem.ts'
import { textOf } from '#model/read-json.ts'
import type { ServiceSpec } from '../spec.ts'
import { mountsOf } from './mounts.ts'

/** So `target: /x,source=NAME` would mount the volume NAME, whoever has it, and one without a name at `/etc:/x` the host's folder. */
export function assertMountFields(spec: ServiceSpec): void {
  const paths = mountsOf(spec).flatMap(({ Source, Target }) => [textOf(Source), textOf(Target)])
  const unnamed = spec.mounts.flatMap(({ from, target }) =>
    from.kind === 'volume' && from.volume === '' ? [target] : [],
  )
  const odd =
    paths.find((path) => /[,"\p{Cc}]/u.test(path)) ?? unnamed.find((path) => path.includes(':'))
  if (odd === undefined) return
  throw new Problem({
    type: 'runtime',
    code: 'not_possible_here',
    message: `a mount of or at ${JSON.stringify(odd)} can't be told to Podman, which takes part of the path for something else`,
    suggestion: 'give it a path without commas, colons and quotes',
  })
}

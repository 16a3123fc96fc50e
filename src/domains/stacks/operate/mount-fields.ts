/** Podman writes the fields of a mount in one line and reads that again: behind a comma in a path it finds further fields. */
import { Problem } from '#model/problem.ts'
import { textOf } from '#model/read-json.ts'
import type { ServiceSpec } from '../spec.ts'
import { mountsOf } from './mounts.ts'

/** So `target: /x,source=NAME` would mount the volume NAME, whoever has it. */
export function assertMountFields(spec: ServiceSpec): void {
  const paths = mountsOf(spec).flatMap(({ Source, Target }) => [textOf(Source), textOf(Target)])
  const odd = paths.find((path) => /[,"\p{Cc}]/u.test(path))
  if (odd === undefined) return
  throw new Problem({
    type: 'runtime',
    code: 'not_possible_here',
    message: `a mount of or at ${JSON.stringify(odd)} can't be told to Podman, which takes a comma or quote for the end of the path`,
    suggestion: 'give it a path without commas and quotes',
  })
}

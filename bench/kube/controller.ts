/** The controller's numbers: the release's `tend serve --kube` on a real control plane, with one repository over HTTP. */
import { fluxWorld } from '../../test/testbed/flux-world.ts'
import { must } from '../charts/unchanged.ts'
import type { Row } from '../row.ts'
import { hundredSets } from './hundred-sets.ts'
import { large } from './large.ts'
import { hookSecret, moments } from './moments.ts'
import { steady } from './steady.ts'

export async function* controllerRows(): AsyncIterable<Row> {
  must(process.execPath, ['release/build.ts'], process.env)
  const world = await fluxWorld({ program: 'dist/tend', environment: { HOOK: hookSecret } })
  try {
    world.serving.declare('hooks: [{ kind: github, secret: { variable: HOOK } }]\n')
    yield* hundredSets(world)
    yield* steady(world)
    yield* moments(world)
    yield* large(world)
  } finally {
    await world.stop()
  }
}

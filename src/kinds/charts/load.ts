/** What runs charts: requests to a render process, and Podman. */
import { join } from 'node:path/posix'
import { findSocket, surroundings } from '#clients/podman/socket.ts'
import { snapshotHash } from '#engine/recorder.ts'
import { keyOf } from '#model/application.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import type { Declared } from '#model/declaration.ts'
import { hashOf } from '#model/json.ts'
import type { RenderContext } from '#model/render.ts'
import type { Snapshot } from '#model/source.ts'
import { hasFile } from '#sources/inputs.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { buildId } from '../build-id.ts'
import type { ChartRequest } from './chart-request.ts'
import { connectPodman } from './podman.ts'

export const loadedCharts: LoadedKind = {
  name: 'chart',
  files: ['Chart.yaml'],
  isThere: ({ path }, tree) => hasFile(tree, join(path, 'Chart.yaml')),
  request,
  inputHash,
  hashOf: snapshotHash,
  find: (target) => ({ address: findSocket(surroundings(target)) }),
  connect: connectPodman,
}

function request(
  { application, path, values, policy }: Declared,
  snapshot: Snapshot,
  { since, seed }: RenderContext,
): ChartRequest {
  const files = filesOfSnapshot(snapshot)
  return { files, application, path, values, security: policy.security, since, seed }
}

function inputHash(
  { application, path, values, policy }: Declared,
  { since }: RenderContext,
): string {
  return hashOf([buildId, keyOf(application), path, values, policy.security, since]).slice(0, 20)
}

/** What runs charts: requests to a render process, and Podman. */
import { join } from 'node:path/posix'
import { tlsIn } from '#clients/podman/engine-address.ts'
import { findSocket, surroundings } from '#clients/podman/socket.ts'
import { snapshotHash } from '#engine/recorder.ts'
import { keyOf } from '#model/application.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import type { Declared } from '#model/declaration.ts'
import type { EngineAddress } from '#model/engine-address.ts'
import { hashOf } from '#model/json.ts'
import type { RenderContext } from '#model/render.ts'
import type { Snapshot } from '#model/source.ts'
import { hasFile } from '#sources/inputs.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { buildId } from '../build-id.ts'
import { ageKeysOf, markOfKeys } from '../containers/age-keys.ts'
import { nameContainer } from '../containers/name-problem.ts'
import type { ChartRequest } from './chart-request.ts'
import { connectPodman } from './podman.ts'

export const loadedCharts: LoadedKind = {
  name: 'chart',
  engines: ['podman'],
  files: ['Chart.yaml'],
  isThere: ({ path }, tree) => hasFile(tree, join(path, 'Chart.yaml')),
  request,
  inputHash,
  hashOf: snapshotHash,
  explain: nameContainer,
  find,
  connect: connectPodman,
}

function find(target: string | undefined): EngineAddress {
  const around = surroundings(target)
  const address = findSocket(around)
  const tls = address.startsWith('tcp://') ? tlsIn(around.environment) : undefined
  return tls === undefined ? { address } : { address, tls }
}

function request(
  { application, path, values, policy }: Declared,
  snapshot: Snapshot,
  { since, seed }: RenderContext,
): ChartRequest {
  const files = filesOfSnapshot(snapshot)
  const { security } = policy
  return { files, application, path, values, security, since, seed, ageKeys: ageKeysOf(policy) }
}

function inputHash(
  { application, path, values, policy }: Declared,
  { since }: RenderContext,
): string {
  const all = [buildId, keyOf(application), path, values, policy.security, since]
  const keys = markOfKeys(policy)
  return hashOf(keys === undefined ? all : [...all, keys]).slice(0, 20)
}

/** The numbers of kustomizations: built, against kustomize; on a real API server, against the bare calls and kubectl in the same run. */
import { requiredKube } from '../test/testbed/kube-tools.ts'
import { applyRows } from './kube/apply.ts'
import { buildRows } from './kube/build.ts'
import { controllerRows } from './kube/controller.ts'
import type { Row } from './row.ts'

export const parts = {
  build: buildRows,
  apply: () => onKube(applyRows),
  controller: () => onKube(controllerRows),
}

async function* onKube(rows: () => AsyncIterable<Row>): AsyncIterable<Row> {
  const missing = requiredKube()
  if (missing !== false) throw new Error(String(missing))
  yield* rows()
}

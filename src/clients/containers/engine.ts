/** The part of the port to an engine of containers that Docker's API and libpod's speak alike. */
import type { ContainerEngine, InspectedContainer } from '#model/container-engine.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import * as calls from './calls.ts'
import { inspectionOf } from './inspection.ts'

type Alike = Pick<
  ContainerEngine,
  | 'startContainer'
  | 'unpauseContainer'
  | 'renameContainer'
  | 'createVolume'
  | 'removeVolume'
  | 'listImages'
  | 'inspectImage'
>

export function alikeIn(engine: calls.Speaker): Alike {
  return {
    startContainer: (name, signal, shown) => calls.startContainer(engine, name, signal, shown),
    unpauseContainer: (name, signal) => calls.unpauseContainer(engine, name, signal),
    renameContainer: (name, to, signal) => calls.renameContainer(engine, name, to, signal),
    createVolume: async (body, signal) => (await calls.createVolume(engine, body, signal)).labels,
    removeVolume: (name, signal) => calls.removeVolume(engine, name, signal),
    listImages: (signal) => calls.listImages(engine, signal),
    inspectImage: (name, signal) => calls.inspectImage(engine, name, signal),
  }
}

/** An answer in the words of the port; undefined stays undefined. */
export function inspectedIn(
  found: JsonRecord | undefined,
  endpointIn: Parameters<typeof inspectionOf>[1],
): InspectedContainer | undefined {
  return found && inspectionOf(found, endpointIn)
}

/** For `catch`: swallows the refusal of an engine that has nothing to do. */
export function fineWhen(pattern: RegExp): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof Problem) || !pattern.test(error.message)) throw error
  }
}

/** The engines that the matrix is measured on, with the harm that only whoever runs an engine can do. */
import { startDocker } from '../../test/testbed/docker.ts'
import { addImage } from '../../test/testbed/image.ts'
import { startPodman } from '../../test/testbed/podman.ts'

export type TruthEngine = {
  readonly socket: string
  /** Its scratch folder. */
  readonly root: string
  /** Another image under a name. */
  addImage(name?: string, mark?: string): Promise<string>
  /** What ran is gone, or comes back by its restart policy. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function truthDocker(): Promise<TruthEngine> {
  const engine = await startDocker()
  await engine.addImage()
  return engine
}

/** Podman has no daemon: its restart is the machine's. */
export async function truthPodman(): Promise<TruthEngine> {
  const engine = await startPodman()
  await addImage(engine.socket)
  return {
    ...engine,
    addImage: (name, mark) => addImage(engine.socket, name, mark),
    restart: () => engine.restart({ isReboot: true }),
  }
}

/** The engines that stacks run on, for suites that hold on each of them. */
import { requiredDocker, startDocker } from './docker.ts'
import { addImage } from './image.ts'
import { required } from './packages.ts'
import { startPodman } from './podman.ts'

export type Engine = {
  readonly socket: string
  /** Its scratch folder. */
  readonly root: string
  /** Puts an image there, whose content says the mark; gives back its id. */
  addImage(name?: string, mark?: string): Promise<string>
  stop(): Promise<void>
}

async function docker(): Promise<Engine> {
  const engine = await startDocker()
  await engine.addImage()
  return engine
}

async function podman(): Promise<Engine> {
  const engine = await startPodman()
  await addImage(engine.socket)
  return { ...engine, addImage: (name, mark) => addImage(engine.socket, name, mark) }
}

/** Name, why it has to be left out, and how it is started with the image of the tests. */
export const bothEngines = [
  ['Docker', requiredDocker(), docker],
  ['Podman', required('podman'), podman],
] as const

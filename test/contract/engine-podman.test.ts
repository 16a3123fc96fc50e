/** The contract of engines on a real Podman, through each of the two APIs that it speaks. */
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { engineContract } from './container-engine.ts'
import { dockerBench, podmanBench } from './engine-bodies.ts'

const skip = required('podman')

async function started(): Promise<TestPodman> {
  const service = await startPodman()
  await addImage(service.socket)
  return service
}

engineContract("Podman, in libpod's API", async () => podmanBench(await started()), { skip })
engineContract("Podman, in Docker's API", async () => dockerBench(await started()), { skip })

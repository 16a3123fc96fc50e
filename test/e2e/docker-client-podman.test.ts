/** The client of the Engine API on a real Podman, which speaks it beside its own. */
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { withEngine } from './engine-bench.ts'
import { containerCases } from './engine-containers.ts'
import { otherCases } from './engine-others.ts'

const skip = required('podman') || required('docker-registry')
withEngine(
  'Podman',
  skip,
  async (plainRegistries) => {
    const service = await startPodman({ plainRegistries })
    return {
      socket: service.socket,
      addImage: (name, mark) => addImage(service.socket, name, mark),
      push: (registry, image, name) => registry.push(service.socket, image, name),
      stop: () => service.stop(),
    }
  },
  otherCases,
  containerCases,
)

/** The sweep of a stack on a real Podman, which takes its time with every container; runs are ended in kill-stack.test.ts. */
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { sweepStack } from './stack-sweep.ts'

sweepStack({
  name: 'Podman',
  skip: required('podman'),
  samples: 1,
  async start() {
    const service = await startPodman()
    await addImage(service.socket)
    return service
  },
})

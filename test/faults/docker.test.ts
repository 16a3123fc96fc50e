/** The sweep of a stack on a real Docker. */
import { startDocker } from '../testbed/docker.ts'
import { required } from '../testbed/packages.ts'
import { sweepStack } from './stack-sweep.ts'

sweepStack({
  name: 'Docker',
  skip: required('dockerd'),
  samples: 2,
  async start() {
    const service = await startDocker()
    await service.addImage()
    return service
  },
})

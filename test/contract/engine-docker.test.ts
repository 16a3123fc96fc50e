/** The contract of engines on a real Docker. */
import { requiredDocker, startDocker } from '../testbed/docker.ts'
import { engineContract } from './container-engine.ts'
import { dockerBench } from './engine-bodies.ts'

engineContract(
  'Docker',
  async () => {
    const docker = await startDocker()
    await docker.addImage()
    return dockerBench(docker)
  },
  { skip: requiredDocker() },
)

/** The client of the Engine API on a real Docker. */
import { requiredDocker, startDocker } from '../testbed/docker.ts'
import { required } from '../testbed/packages.ts'
import { authOf, withEngine } from './engine-bench.ts'
import { containerCases } from './engine-containers.ts'
import { otherCases } from './engine-others.ts'

withEngine(
  'Docker',
  requiredDocker() || required('docker-registry'),
  async () => {
    const service = await startDocker()
    return {
      ...service,
      push: (registry, image, name) =>
        service.push({ host: registry.host, auth: authOf(registry) }, image, name),
    }
  },
  otherCases,
  containerCases,
)

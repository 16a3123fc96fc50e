/** The service in a process of its own, to be killed: `serve-process.ts HOME SOCKET NAME GREETING`. Prints its log. */
import { join } from 'node:path'
import { openStore } from '#store/open.ts'
import { fakeRepository } from '../fake/repository.ts'
import { stackText } from '../e2e/service-bench.ts'
import { serve, stackOf } from './serve.ts'

const [home = '', socket = '', name = '', ...greetings] = process.argv.slice(2)
const { store, notes, leases, key } = await openStore({ home })
const repo = fakeRepository(join(home, 'repository'))
for (const greeting of greetings) {
  repo.commit({ [`${name}/compose.yaml`]: stackText({ web: greeting, db: greeting }) }, greeting)
}
const apps = [stackOf(name, `unix://${socket}`)]
const log = (_: string, message: string): void => console.log(message)
const service = serve({
  repo,
  folder: home,
  declarations: { apps },
  store,
  notes,
  leases,
  key,
  log,
})
await service.start()

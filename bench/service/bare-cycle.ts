/** Only what a look at 200 unchanged stacks can't do without, in a process of its own: a list, its parse, a git. Told how often. */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { dockerAt } from '#clients/docker/client.ts'
import { cpuOf } from './processes.ts'

const [, , address = '', repository = '', times = '1', path = ''] = process.argv
const docker = dockerAt({ address })
const { signal } = new AbortController()

async function cycle(): Promise<void> {
  await docker.ask('GET', '/containers/json', { query: { all: true }, signal, doing: 'listing' })
  await new Promise<void>((done, fail) => {
    const child = spawn('git', ['ls-remote', repository, 'main'], {
      env: { PATH: path },
      stdio: 'pipe',
    })
    child.stdout.resume()
    child.on('error', fail)
    child.on('close', () => done())
  })
}

await cycle()
const began = cpuOf('self')
for (let round = 0; round < Number(times); round += 1) {
  // at the pace of the service: after a second others have had the processor and its caches
  await sleep(1000)
  await cycle()
}
console.log(JSON.stringify((cpuOf('self') - began) / Number(times)))
docker.close()

/** How long the release takes to start, against the same Node that does nothing. */
import { spawn } from 'node:child_process'
import { podmanAt } from '#clients/podman/client.ts'
import { chartsTarget } from '#domains/charts/domain.ts'
import { addImage } from '../../test/testbed/image.ts'
import { startPodman } from '../../test/testbed/podman.ts'
import { freePort } from '../../test/testbed/port.ts'
import { tendOn } from '../../test/testbed/tend.ts'
import { contest, milliseconds, type Row } from '../row.ts'

const rounds = 25

export async function* startUp(): AsyncIterable<Row> {
  await run(['release/build.ts'])
  const bare = (): Promise<void> => run(['-e', '0'])
  const program = 'dist/tend.cjs'
  const help = await contest({ bare, help: () => run([program, '--help']) }, rounds)
  yield {
    name: 'tend --help against node -e 0',
    measured: help.help / help.bare,
    goal: { is: 'at most', than: 2 },
    behind: `${milliseconds(help.help)} against ${milliseconds(help.bare)}`,
  }
  yield await noOpPlan(bare, program)
}

/** A plan that finds nothing to do, less the time that Podman takes to answer the same questions. */
async function noOpPlan(bare: () => Promise<void>, program: string): Promise<Row> {
  const podman = await startPodman()
  const shell = tendOn(podman.socket, 'dist/tend')
  const client = podmanAt(`unix://${podman.socket}`)
  try {
    await addImage(podman.socket)
    const chart = `${process.cwd()}/examples/hello`
    const set = `port=${await freePort()}`
    const installed = await shell.tend(`install ${chart} --set ${set}`)
    if (installed.code !== 0) throw new Error(installed.out + installed.err)
    const target = chartsTarget(client)
    const owner = 'tend:chart:hello'
    const { signal } = new AbortController()
    async function answers(): Promise<void> {
      const quiet = { wanted: [], refresh: false, report: () => undefined }
      await target.observe({ owner, signal, ...quiet })
    }
    const env = { ...process.env, TEND_HOME: `${shell.folder}/home` }
    const words = [program, 'plan', chart, '--target', `unix://${podman.socket}`]
    const times = await contest({ bare, plan: () => run(words, env), answers }, rounds)
    return {
      name: "a no-op tend plan, less Podman's answers, against node -e 0",
      measured: (times.plan - times.answers) / times.bare,
      goal: { is: 'at most', than: 4 },
      behind: `${milliseconds(times.plan)} less ${milliseconds(times.answers)} against ${milliseconds(times.bare)}`,
    }
  } finally {
    client.close()
    await podman.stop()
    shell.remove()
  }
}

function run(words: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, words, { env, stdio: 'ignore' })
    child.on('error', fail)
    child.on('close', (code) => {
      if (code === 0) done()
      else fail(new Error(`${words.join(' ')} ended with ${code}`))
    })
  })
}

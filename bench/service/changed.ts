/** One of 200 stacks changed: how long from the push to the first call that changes something, and what is touched. */
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median, milliseconds, type Row } from '../row.ts'
import { fileOf, nameOf, running, secret, stackText, waited, type World } from './world.ts'

const rounds = 20

export async function* changed(world: World): AsyncIterable<Row> {
  const { git, proxy } = world
  await world.start('1h', running)
  await world.settled(running)
  const times: number[] = []
  let strangers = 0
  for (let round = 1; round <= rounds; round += 1) {
    const n = (round * 7) % running
    let first: number | undefined
    const touched: string[] = []
    proxy.plan((call) => {
      if (call.isWrite && call.path.includes('/containers/')) {
        first ??= performance.now()
        touched.push(call.path)
      }
      return 'pass'
    })
    writeFileSync(join(git.work, fileOf(n)), stackText(n, round))
    git.git('commit', '-q', '-m', `change ${round}`, '--', fileOf(n))
    const revision = git.git('rev-parse', 'HEAD')
    const began = performance.now()
    git.git('push', '-q', 'origin', 'HEAD')
    await hook(world, revision)
    await waited(60_000, 20, async () => {
      const app = (await world.apps()).find(({ key }) => key === `stack:${nameOf(n)}`)
      return app?.state === 'synced' && app.synced?.revision === revision
    })
    times.push((first ?? Infinity) - began)
    strangers += touched.filter(
      (path) => path.includes('name=') && !path.includes(`${nameOf(n)}-`),
    ).length
  }
  proxy.plan(() => 'pass')
  yield {
    name: '1 of 200 changed: git push, webhook to first container call',
    measured: median(times) / 1000,
    goal: { is: 'at most', than: 1 },
    behind: `median ${milliseconds(median(times))} of ${rounds}, longest ${milliseconds(Math.max(...times))}, limit 1 s`,
  }
  yield {
    name: '1 of 200 changed: containers made for other stacks',
    measured: strangers,
    goal: { is: 'at most', than: 0 },
    behind: `${strangers} in ${rounds} changes`,
  }
}

async function hook({ url, repository }: World, revision: string): Promise<void> {
  const body = JSON.stringify({
    ref: 'refs/heads/main',
    after: revision,
    repository: { clone_url: repository },
  })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const answer = await fetch(`${url}/api/webhook`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${signature}`,
    },
  })
  const text = await answer.text()
  if (!answer.ok || text.includes('"ignored"'))
    throw new Error(`the webhook was not taken: ${text}`)
}

/** A tag that means another image now is drift, on each engine and for each kind that the service keeps there. */
import assert from 'node:assert/strict'
import { isWell, onBothEngines } from './health-bench.ts'

const never = new AbortController().signal
const tag = 'localhost/tend/moved:latest'

const stack = {
  'shop/compose.yaml': `services:
  web:
    image: ${tag}
    command: [/bin/sleep, "1000"]
    stop_grace_period: 0s
`,
}
const chart = {
  'img/Chart.yaml': 'name: img\nversion: 1.0.0\n',
  'img/templates/web.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: web }
spec:
  image: ${tag}
  command: ["/bin/sleep"]
  args: ["1000"]
  stopTimeoutSeconds: 0
`,
}

const plain = (id: string): string => id.replace('sha256:', '')

onBothEngines('a moved tag', async ({ t, engine, docker, served, addImage }) => {
  async function imageOf(container: string): Promise<string> {
    const asked = { signal: never, doing: 'could not look' }
    const { body } = await docker.ask('GET', `/containers/${container}/json`, asked)
    return plain(JSON.parse(JSON.stringify(body)).Image)
  }
  const stories = [
    ['a stack', 'shop', 'shop-web-1', stack],
    // charts are Podman's
    ...(engine === 'Podman' ? ([['a chart', 'img', 'web', chart]] as const) : []),
  ] as const
  for (const [what, name, container, files] of stories) {
    await t.test(`${what} is given the image that its tag means now`, async () => {
      const first = plain(await addImage(tag, `${name}-one`))
      const app = await served(name, files)
      await app.until(isWell)
      assert.equal(await imageOf(container), first)
      const second = plain(await addImage(tag, `${name}-two`))
      assert.notEqual(second, first)
      await app.until(
        ({ lastRun }) => lastRun?.trigger === 'drift' && lastRun.outcome !== undefined,
      )
      await app.until(isWell)
      assert.equal(await imageOf(container), second)
      // the update that nobody asked for is a run to go back from, by the digest that was recorded
      const kind = engine === 'Podman' && name === 'img' ? 'chart' : 'stack'
      await app.service().rollback(`${kind}:${name}`, undefined)
      await app.until((one) => isWell(one) && one.lastRun?.trigger === 'rollback')
      assert.equal(await imageOf(container), first)
      await app.restart(async () => {})
      await app.until(isWell)
      assert.equal(await imageOf(container), first, 'it is not updated again by itself')
    })
  }
})

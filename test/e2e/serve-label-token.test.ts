/** A token that is bound by label, right after a start of the real service: from the first answer on the right one. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { servingOn, type Serving } from '../testbed/serving.ts'

let serving: Serving | undefined
after(() => serving?.remove())

test('no answer after a start is 403 for what it may see, or 200 for what it may not', async () => {
  const here = await servingOn({ DOCKER_HOST: 'unix:///nonexistent/docker.sock' })
  serving = here
  for (const name of ['web', 'db']) {
    mkdirSync(join(here.folder, 'stacks', name), { recursive: true })
    const text = 'services: { web: { image: busybox } }\n'
    writeFileSync(join(here.folder, 'stacks', name, 'compose.yaml'), text)
  }
  here.declare(`sources: { here: { directory: stacks } }
apps:
  - { stack: web, path: web, source: here, labels: { team: web } }
  - { stack: db, path: db, source: here, labels: { team: db } }
`)
  await here.start()
  await here.until('stack:web', ({ desired }) => desired !== undefined)
  await here.until('stack:db', ({ desired }) => desired !== undefined)
  const made = await here.tend('token create --role read --app label:team=web --name bound -o json')
  const token = /tend_[\w-]+/.exec(made.out)?.[0] ?? ''
  assert.notEqual(token, '', made.out + made.err)
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${here.url}${path}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  for (let times = 0; times < 3; times += 1) {
    await here.stop()
    await here.start()
    // all at once, and before anything was read
    const [own, other, list] = await Promise.all([
      ask('/api/v1/apps/stack:web'),
      ask('/api/v1/apps/stack:db'),
      ask('/api/v1/apps'),
    ])
    assert.deepEqual([own.status, other.status, list.status], [200, 403, 200], own.text)
    const keys: readonly { readonly key: string }[] = JSON.parse(list.text)
    assert.deepEqual(
      keys.map(({ key }) => key),
      ['stack:web'],
    )
  }
})

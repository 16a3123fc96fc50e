/** A chart's life as a user types it: install, again, edit, break, roll back, uninstall. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { page } from '../testbed/page.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const skip = required('podman')

function chart(port: number): Readonly<Record<string, string>> {
  return {
    'shop/Chart.yaml': 'name: shop\nversion: 1.0.0\n',
    'shop/values.yaml': 'page: one\nhealth: /\n',
    'shop/templates/shared.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteNetwork
metadata:
  name: front
spec:
  driver: bridge
---
apiVersion: cutepod/v1alpha0
kind: CuteSecret
metadata:
  name: words
spec:
  stringData:
    TOKEN: hush-hush
---
apiVersion: cutepod/v1alpha0
kind: CuteVolume
metadata:
  name: data
spec:
  type: volume
`,
    'shop/templates/web.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata:
  name: web
spec:
  image: ${busybox}
  command: ["/bin/sh", "-c"]
  args: ["mkdir -p /srv; echo {{ .Values.page }} > /srv/index.html; echo serving {{ .Values.page }}; exec httpd -f -p 8000 -h /srv"]
  ports:
    - containerPort: 8000
      hostPort: ${port}
  networks:
    - front
  volumes:
    - name: data
      mountPath: /data
  secrets:
    - name: words
      env: true
  health:
    type: http
    httpGet:
      path: {{ .Values.health }}
      port: 8000
    intervalSeconds: 1
    timeoutSeconds: 1
    retries: 2
  stopTimeoutSeconds: 1
`,
  }
}

function documentOf(text: string): { [key: string]: unknown } {
  const document: { [key: string]: unknown } = JSON.parse(text)
  return document
}

test('the road as a user walks it', { skip }, async (t) => {
  let podman: TestPodman
  let shell: Tend
  let port: number
  before(async () => {
    podman = await startPodman()
    await addImage(podman.socket)
    shell = tendOn(podman.socket)
    port = await freePort()
    shell.write(chart(port))
  })
  after(async () => {
    await podman.stop()
    shell.remove()
  })

  await t.test('a preview changes nothing', async () => {
    const { code, out } = await shell.tend('install ./shop --dry-run --exit-code')
    assert.equal(code, 3, out)
    assert.match(out, /^Preview: \.\/shop → shop\n/)
    assert.match(out, /\+ web +will be created\n/)
    assert.match((await shell.tend('list')).out, /No charts are installed/)
  })

  await t.test('install, as the requirement shows it', async () => {
    const { code, out, err } = await shell.tend('install ./shop')
    assert.equal(code, 0, out + err)
    const settled = out.replace(/Duration: \d+\.\ds/, 'Duration: 1.0s')
    assert.deepEqual(settled.split('\n'), [
      'Installing chart: ./shop',
      'Chart name: shop',
      '',
      '┌─────────────────────────────────────────────────────────────┐',
      '│ Reconciling Resources                                       │',
      '└─────────────────────────────────────────────────────────────┘',
      '',
      'Networks:',
      '  ✓ front              created',
      '',
      'Volumes:',
      '  ✓ data               created',
      '',
      'Secrets:',
      '  ✓ words              created',
      '',
      'Containers:',
      '  ✓ web                created',
      '',
      '┌─────────────────────────────────────────────────────────────┐',
      '│ Summary                                                     │',
      '└─────────────────────────────────────────────────────────────┘',
      '',
      'Resources: 4 created, 0 updated, 0 deleted',
      'Duration: 1.0s',
      'Status: Success',
      '',
    ])
    assert.equal(await page(port), 'one')
  })

  await t.test('again: nothing changes; status is healthy; logs are there', async () => {
    const again = await shell.tend('install ./shop')
    assert.match(again.out, /0 created, 0 updated, 0 deleted, 4 unchanged/)
    const status = await shell.tend('status shop')
    assert.equal(status.code, 0, status.out)
    assert.match(status.out, /^shop 1\.0\.0   healthy   run 1, /)
    assert.match(status.out, /✓ web +healthy/)
    assert.equal((await shell.tend('logs shop web --tail 1')).out, 'serving one\n')
  })

  await t.test(
    'an edited line changes only what it touches, by name, with other values',
    async () => {
      const plan = await shell.tend('plan shop --set page=two --exit-code')
      assert.equal(plan.code, 3)
      assert.match(plan.out, /Planned: 0 create, 1 update, 0 delete/)
      const upgrade = await shell.tend('upgrade shop --set page=two -o json')
      assert.equal(upgrade.code, 0, upgrade.out)
      const document = documentOf(upgrade.out)
      assert.equal(document['status'], 'succeeded')
      assert.deepEqual(document['summary'], {
        created: 0,
        updated: 1,
        deleted: 0,
        unchanged: 3,
        failed: 0,
        skipped: 0,
      })
      assert.equal(await page(port), 'two')
      assert.match((await shell.tend('upgrade shop')).out, /4 unchanged/, 'values are used again')
    },
  )

  await t.test('at length, with the commands; no secret anywhere', async () => {
    const { out, err, code } = await shell.tend('upgrade shop --set page=three -v')
    assert.equal(code, 0, out + err)
    assert.match(out, /Chart version: 1\.0\.0/)
    assert.match(out, /Execution order:\n  1\. Networks: front\n  2\. Volumes: data\n/)
    assert.match(out, /\[\d\d:\d\d:\d\d\] → podman /)
    assert.match(out, /✓ Container web updated \(\d+\.\ds\)/)
    assert.ok(!(out + err).includes('hush-hush'))
    const database = readFileSync(join(shell.folder, 'home/tend.db'))
    assert.ok(!database.includes('hush-hush'))
  })

  await t.test(
    'what is broken goes back by itself, and says what, where and what to do',
    async () => {
      const { code, out } = await shell.tend(
        'upgrade shop --set page=four,health=/none --timeout 20s',
      )
      assert.equal(code, 1, out)
      assert.match(out, /✗ web +failed\n    Error: not healthy after /)
      assert.match(out, /Suggestion: Look at the logs with: tend logs shop web --run \d+/)
      assert.match(out, /~ web +put back to run 3/)
      assert.match(out, /Rolled back: everything runs as after run 3/)
      assert.equal(await page(port), 'three')
      const run = /--run (\d+)/.exec(out)![1]
      assert.match((await shell.tend(`logs shop web --run ${run}`)).out, /serving four/)
    },
  )

  await t.test('bad input is told with its place, and nothing that runs is touched', async () => {
    const files = chart(port)
    const web = files['shop/templates/web.yaml']!.replace('hostPort:', 'hostport:')
    shell.write({ 'shop/templates/web.yaml': web })
    const { code, out } = await shell.tend('upgrade shop')
    assert.equal(code, 1)
    assert.match(out, /✗ templates\/web\.yaml:\d+:\d+ spec\.ports\[0\]\.hostport: unknown field/)
    assert.match(out, /Suggestion: did you mean hostPort\?/)
    assert.match(out, /web was left as it is\./)
    assert.equal(await page(port), 'three')
    assert.equal((await shell.tend('lint shop')).code, 1)
    shell.write(files)
    assert.equal((await shell.tend('lint shop')).code, 0)
  })

  await t.test('history, and back to an earlier run', async () => {
    const { out } = await shell.tend('history shop')
    assert.match(out, /^RUN +WHEN +TRIGGER +VERSION +OUTCOME/)
    assert.match(out, /failed, rolled back/)
    const back = await shell.tend('rollback shop 1')
    assert.equal(back.code, 0, back.out + back.err)
    assert.equal(await page(port), 'one')
  })

  await t.test('two at once: one waits for the other', async () => {
    const ended: string[] = []
    const upgrades = ['four', 'five'].map(async (level) => {
      const { code, out, err } = await shell.start(`upgrade shop --set page=${level}`).told
      assert.equal(code, 0, out + err)
      ended.push(level)
    })
    await Promise.all(upgrades)
    assert.equal(await page(port), ended.at(-1))
    assert.equal((await shell.tend('upgrade shop --set page=six')).code, 0)
    assert.equal(await page(port), 'six')
  })

  await t.test('a namespace keeps copies apart', async () => {
    const other = await freePort()
    shell.write({
      'copy/Chart.yaml': chart(other)['shop/Chart.yaml']!,
      'copy/values.yaml': chart(other)['shop/values.yaml']!,
      'copy/templates/web.yaml': chart(other)['shop/templates/web.yaml']!,
      'copy/templates/shared.yaml': chart(other)['shop/templates/shared.yaml']!,
    })
    const staged = await shell.tend('install staging ./copy')
    assert.equal(staged.code, 0, staged.out + staged.err)
    assert.deepEqual([await page(port), await page(other)], ['six', 'one'])
    assert.match((await shell.tend('list')).out, /shop +staging/)
    assert.equal((await shell.tend('uninstall shop -n staging --prune-volumes')).code, 0)
    assert.equal(await page(port), 'six')
  })

  await t.test('uninstall keeps the volume unless told otherwise', async () => {
    const { code, out } = await shell.tend('uninstall shop')
    assert.equal(code, 0, out)
    assert.match(out, /~ data +kept: /)
    await assert.rejects(page(port))
    const rest = await shell.tend('uninstall shop --prune-volumes')
    assert.equal(rest.code, 0, rest.out + rest.err)
    assert.match(rest.out, /✓ data +deleted/)
    assert.equal((await shell.tend('uninstall shop')).code, 2)
  })
})

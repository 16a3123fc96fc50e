/** A lost database loses history and nothing else: what runs is known by its labels, and nothing looks changed. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { manifest } from '../fake/chart.ts'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const skip = required('podman')
let service: TestPodman
let shell: Tend

before(async () => {
  if (skip !== false) return
  service = await startPodman()
  await addImage(service.socket)
  shell = tendOn(service.socket)
})

after(async () => {
  if (skip !== false) return
  shell.remove()
  await service.stop()
})

test('random values, the clock and secrets stay what they were', { skip }, async () => {
  const spec = `image: localhost/tend/busybox:1
command: ["/bin/sleep", "1000"]
stopTimeoutSeconds: 0
env:
  - {name: ID, value: '{{ uuidv4 }}'}
  - {name: BORN, value: '{{ now | date "2006-01-02T15:04:05Z07:00" }}'}
secrets: [{name: login, env: true}]`
  shell.write({
    'shop/Chart.yaml': 'name: shop\nversion: 1.0.0\n',
    'shop/templates/all.yaml': [
      manifest('CuteSecret', 'login', 'stringData: {PASSWORD: "{{ randAlphaNum 20 }}"}'),
      manifest('CuteVolume', 'books', 'type: volume\nvolume: {}'),
      manifest('CuteContainer', 'till', `${spec}\nvolumes: [{name: books, mountPath: /books}]`),
    ].join('---\n'),
  })
  const first = await shell.tend('install ./shop')
  assert.equal(first.code, 0, first.out + first.err)
  for (const end of ['', '-wal', '-shm']) {
    rmSync(join(shell.folder, 'home', `tend.db${end}`), { force: true })
  }
  const listed = await shell.tend('list')
  assert.match(listed.out, /shop +- +1\.0\.0 +- +unknown/)
  const status = await shell.tend('status shop')
  assert.match(status.out, /till +healthy/)
  assert.equal((await shell.tend('logs shop till')).code, 0)
  const history = await shell.tend('history shop')
  assert.equal(history.code, 2)
  assert.match(history.err, /shop runs, and none of its runs is known here[^]*tend status shop/)
  const again = await shell.tend('upgrade ./shop')
  assert.match(again.out, /0 created, 0 updated, 0 deleted, 3 unchanged/)
  assert.match((await shell.tend('list')).out, /shop +- +1\.0\.0 +1 +healthy/)
  const gone = await shell.tend('uninstall shop --yes')
  assert.match(gone.out, /0 created, 0 updated, 2 deleted/)
  assert.match((await shell.tend('list')).out, /No charts are installed/)
})

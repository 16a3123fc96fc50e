import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'tend-create-'))
after(() => rmSync(folder, { recursive: true }))

/** `timeout` ends a command that would never end by itself: Node heeds no SIGTERM in such a call. */
function create(place: string): { readonly status: number | null; readonly said: string } {
  const words = ['create', place]
  const { status, stdout, stderr } = spawnSync('bin/tend', words, {
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
    env: { ...process.env, TEND_HOME: join(folder, 'home') },
  })
  return { status, said: stdout + stderr }
}

test('a chart is made with the folders above it', () => {
  const place = join(folder, 'new', 'shop')
  const { status, said } = create(place)
  assert.equal(status, 0, said)
  assert.match(readFileSync(join(place, 'Chart.yaml'), 'utf8'), /^name: shop$/m)
})

test('where no chart can be made it is said, and soon', () => {
  const file = join(folder, 'taken')
  writeFileSync(file, '')
  for (const [place, expected] of [
    [file, /taken is a file\n/],
    [join(file, 'shop'), /shop can't be made: EEXIST/],
    ['/proc/shop', /\/proc\/shop can't be made: ENOENT/],
  ] as const) {
    const { status, said } = create(place)
    assert.equal(status, 2, said)
    assert.match(said, expected)
    assert.doesNotMatch(said, /fault of Tend/)
  }
})

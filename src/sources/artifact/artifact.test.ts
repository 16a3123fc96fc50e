/** Artifacts: what is packed is unpacked again, what is not the announced one is refused, and nothing lands outside. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { tarBytes, type TarEntry } from '#clients/docker/tar.ts'
import { directoryTree } from '../directory.ts'
import { pack } from './pack.ts'
import { artifactRepository, artifactRevision, type Artifact } from './repository.ts'
import { unpack, usualArchiveLimits } from './unpack.ts'

const root = mkdtempSync(join(tmpdir(), 'tend-artifact-'))
after(() => rmSync(root, { recursive: true }))
const signal = new AbortController().signal
let number = 0

function folder(): string {
  const path = join(root, String(number++))
  mkdirSync(path)
  return path
}

function archive(...entries: readonly TarEntry[]): string {
  const file = join(folder(), 'a.tar.gz')
  writeFileSync(file, gzipSync(tarBytes(entries)))
  return file
}

function file(path: string, text: string): TarEntry {
  return { type: 'file', path, mode: 0o644, content: Buffer.from(text) }
}

const long = `${'deep/'.repeat(30)}file.yaml`

test('what tar packs, with long names, is unpacked', async () => {
  const from = folder()
  mkdirSync(join(from, 'deep/'.repeat(30)), { recursive: true })
  writeFileSync(join(from, long), 'long')
  writeFileSync(join(from, 'ä.yaml'), 'umlaut')
  for (const format of ['ustar', 'gnu', 'pax']) {
    const packed = join(folder(), 'a.tar.gz')
    execFileSync('tar', ['-C', from, `--format=${format}`, '-czf', packed, '.'])
    const to = folder()
    assert.deepEqual(await unpack(packed, to, usualArchiveLimits), [], format)
    assert.equal(readFileSync(join(to, long), 'utf8'), 'long')
    assert.equal(readFileSync(join(to, 'ä.yaml'), 'utf8'), 'umlaut')
  }
})

test('the same files are packed into the same bytes, which tar reads', async () => {
  const from = folder()
  mkdirSync(join(from, 'app'))
  writeFileSync(join(from, 'app/a.yaml'), 'a: 1\n')
  mkdirSync(join(from, 'deep/'.repeat(30)), { recursive: true })
  writeFileSync(join(from, long), 'long')
  const targets = [join(folder(), 'one.tar.gz'), join(folder(), 'two.tar.gz')]
  const tree = directoryTree(from, { hasIgnoreFile: false })
  const packed = await Promise.all(targets.map((target) => pack(tree, target, signal)))
  const bytes = readFileSync(targets[0]!)
  assert.deepEqual(bytes, readFileSync(targets[1]!))
  assert.equal(packed[0]?.digest, `sha256:${createHash('sha256').update(bytes).digest('hex')}`)
  assert.equal(packed[0]?.size, bytes.length)
  const to = folder()
  execFileSync('tar', ['-C', to, '-xzf', targets[0]!])
  assert.equal(readFileSync(join(to, 'app/a.yaml'), 'utf8'), 'a: 1\n')
  assert.equal(readFileSync(join(to, long), 'utf8'), 'long')
})

test('names that lead out are refused, and links are left out', async () => {
  for (const path of ['../out.yaml', '/out.yaml', 'a/../../out.yaml']) {
    const to = folder()
    await assert.rejects(unpack(archive(file(path, 'x')), to, usualArchiveLimits), /leads out/)
  }
  assert.ok(!existsSync(join(root, 'out.yaml')))
  const link: TarEntry = { type: 'link', path: 'way', mode: 0o777, target: '/etc' }
  const to = folder()
  const through = archive(link, file('way/passwd', 'x'), file('a.yaml', 'a'))
  assert.deepEqual(await unpack(through, to, usualArchiveLimits), ['way'])
  assert.equal(readFileSync(join(to, 'way/passwd'), 'utf8'), 'x')
})

test('more than the limits allow, and what is cut or no archive, is refused', async () => {
  const three = archive(file('a', '1'), file('b', '2'), file('c', '3'))
  const limits = usualArchiveLimits
  await assert.rejects(unpack(three, folder(), { ...limits, mostFiles: 2 }), /more than 2 files/)
  await assert.rejects(unpack(three, folder(), { ...limits, mostBytes: 2 }), /more than 0 MB/)
  const bomb = archive(file('zeros', '\0'.repeat(1024 * 1024)))
  await assert.rejects(unpack(bomb, folder(), { ...limits, largestFile: 1000 }), /1048576 bytes/)
  const cut = join(folder(), 'cut.tar.gz')
  writeFileSync(cut, gzipSync(tarBytes([file('a', 'x'.repeat(2000))]).subarray(0, 1024)))
  await assert.rejects(unpack(cut, folder(), limits), /cut off/)
  const text = join(folder(), 'text.tar.gz')
  writeFileSync(text, gzipSync('no archive at all'.repeat(100)))
  await assert.rejects(unpack(text, folder(), limits), /no tar archive/)
})

test('an artifact is used when it is the announced one, and only then', async (t) => {
  const bytes = readFileSync(archive(file('app/a.yaml', 'a: 1\n')))
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const right = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  const revision = `main@sha1:${'a'.repeat(40)}`
  let announced: Artifact | undefined
  const find = () => announced
  const name = 'OCIRepository/flux-system/podinfo'
  const host = `127.0.0.1:${port}`
  const cache = folder()
  const repository = artifactRepository({ name, cache, find, host })
  await assert.rejects(repository.latest([''], signal), /has no artifact yet/)
  const url = 'http://source-controller.flux-system.svc.cluster.local./a.tar.gz'
  announced = { url, digest: `sha256:${'0'.repeat(64)}`, revision, at: 0 }
  const wrong = artifactRevision(announced)
  await assert.rejects(repository.snapshot(wrong, '', signal), /not what was announced/)
  announced = { url, digest: right, revision, at: 0 }
  const latest = (await repository.latest([''], signal)).get('') ?? ''
  assert.match(latest, /^a{40}-[0-9a-f]{12}$/)
  const { tree } = await repository.snapshot(latest, '', signal)
  assert.deepEqual(tree.list(''), ['app/a.yaml'])
  const before = asked
  await repository.snapshot(latest, '', signal)
  assert.equal(asked, before)
  const small = artifactRepository({ name, cache: folder(), find, host, limits: { mostPacked: 9 } })
  await assert.rejects(small.snapshot(latest, '', signal), /larger than 0 MB/)
})

/** The Containerfile is built by the real Podman, and what comes out runs. The base has what Debian's would: a shell, libraries, apt-get. */
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { busyboxTar } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'tend-image-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const machine = process.arch === 'arm64' ? 'arm64' : 'x64'

/** No packages are fetched here: apt-get only notes what it was asked for. */
function makeBase(node: string): string {
  const root = join(folder, 'base')
  mkdirSync(root)
  execFileSync('tar', ['-C', root, '-xf', busyboxTar('')])
  const libraries = execFileSync('ldd', [node], { encoding: 'utf8' })
  for (const [path] of libraries.matchAll(/\/\S+(?= \(0x)/g)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    copyFileSync(path, join(root, path))
  }
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
  const note = '#!/bin/sh\necho "$@" >> /asked-of-apt\n'
  writeFileSync(join(root, 'bin/apt-get'), note, { mode: 0o755 })
  const tar = join(folder, 'base.tar')
  execFileSync('tar', ['-C', root, '-cf', tar, '.'])
  return tar
}

/** From the checkout, and not into it: others make one too. */
function makeRelease(): string {
  const place = join(folder, 'release')
  mkdirSync(place)
  for (const name of ['src', 'release', 'node_modules', 'examples', 'package.json', 'LICENSE']) {
    symlinkSync(resolve(name), join(place, name))
  }
  const words = [resolve('release/build.ts')]
  const made = spawnSync(process.execPath, words, { cwd: place, encoding: 'utf8' })
  assert.equal(made.status, 0, made.stderr)
  return join(place, 'dist')
}

const missing = required('podman')

test(
  'the image is built, and its tend runs as its entry point says',
  { skip: missing },
  async (t) => {
    const context = join(folder, 'context')
    const node = `node_modules/node-linux-${machine}/bin/node`
    for (const path of [dirname(node), 'packaging']) {
      mkdirSync(join(context, path), { recursive: true })
    }
    copyFileSync(node, join(context, node))
    copyFileSync('packaging/Containerfile', join(context, 'packaging/Containerfile'))
    cpSync(makeRelease(), join(context, 'dist'), { recursive: true })
    const podman = await startPodman()
    t.after(() => podman.stop())
    const call = async (...words: readonly string[]): Promise<string> => {
      const { stdout } = await run(podman.command, words, { maxBuffer: 2 ** 26 })
      return stdout
    }
    await call('import', makeBase(node), 'localhost/base:1')
    await call(
      'build',
      '--isolation=chroot',
      '--format=docker',
      '--build-arg=BASE=localhost/base:1',
      `--build-arg=ARCH=${machine}`,
      '-f',
      join(context, 'packaging/Containerfile'),
      '-t',
      'localhost/tend:test',
      context,
    )
    const [image] = JSON.parse(await call('inspect', '--type=image', 'localhost/tend:test'))
    assert.deepEqual(image.Config.Entrypoint, ['tend'])
    assert.deepEqual(image.Config.Cmd, ['serve'])
    assert.deepEqual(Object.keys(image.Config.Volumes), ['/var/lib/tend'])
    assert.equal(image.Config.User, '65532:65532')
    const inside = ['run', '--rm', '--network=none']
    const shell = [...inside, '--entrypoint=sh', 'localhost/tend:test', '-c']
    assert.equal(await call(...shell, 'id -un; touch /var/lib/tend/x && echo mine'), 'tend\nmine\n')
    assert.match(await call(...shell, 'cutepod --version'), /^tend \S+/)
    assert.match(await call(...inside, 'localhost/tend:test', '--version'), /^tend \S+/)
    const asked = await call(...inside, '--entrypoint=cat', 'localhost/tend:test', '/asked-of-apt')
    assert.match(asked, /install .*ca-certificates git openssh-client/)
    const schema = await call(...inside, 'localhost/tend:test', 'schema', 'tend.yaml')
    assert.equal(JSON.parse(schema).title, 'tend.yaml')
  },
)

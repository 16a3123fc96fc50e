/**
 * The image is built by the real Podman as somebody would who has no Node: from the checkout, on a Debian made of Debian's packages,
 * whose npm is Debian's. What comes out is small, runs without root, serves, and runs by the Compose file beside it.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { debianTar } from '../testbed/debian-root.ts'
import { checkHelpRatio, helpRatioScript } from '../testbed/help-ratio.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'

const run = promisify(execFile)
const skip = required('podman') || required('mmdebstrap')
const image = 'localhost/tend:test'
const most = 160e6

/** With the certificates of this machine, by which it reaches Debian and npm. */
function makeBase(folder: string): string {
  const [root, tar] = [join(folder, 'base'), join(folder, 'base.tar')]
  mkdirSync(root)
  execFileSync('tar', ['-C', root, '-xf', debianTar()])
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  if (existsSync(certificates)) copyFileSync(certificates, join(root, certificates))
  execFileSync('tar', ['-C', root, '-cf', tar, '.'])
  rmSync(root, { recursive: true })
  return tar
}

await test('the image', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tend-image-'))
  let podman: TestPodman
  const call = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await run(podman.command, words, { maxBuffer: 2 ** 26 })
    return stdout
  }
  before(async () => {
    podman = await startPodman()
    await call('import', makeBase(folder), 'localhost/debian:12')
    const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
    await call(
      'build',
      '--layers=false',
      '--isolation=chroot',
      '--network=host',
      '--format=docker',
      '--build-arg=BASE=localhost/debian:12',
      `--build-arg=REGISTRY=${registry}`,
      '-f',
      resolve('packaging/Containerfile'),
      '-t',
      image,
      resolve('.'),
    )
  })
  after(async () => {
    await podman.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  await t.test('says how it is run, and is small', async () => {
    // Podman tells the health check beside the configuration, since the format of others has none
    const [{ Config: config, Healthcheck: check, Size: size }] = JSON.parse(
      await call('inspect', '--type=image', image),
    )
    assert.deepEqual(config.Entrypoint, ['tend'])
    assert.deepEqual(config.Cmd, ['serve'])
    assert.deepEqual(Object.keys(config.Volumes), ['/var/lib/tend'])
    assert.equal(config.User, '65532:65532')
    assert.match(check.Test.join(' '), /tend get sources/)
    t.diagnostic(`the image has ${(size / 1e6).toFixed(1)} MB`)
    assert.ok(size <= most, `${size} bytes`)
  })

  await t.test('has what the service needs, and nobody there is root', async () => {
    const inside = ['run', '--rm', '--network=none']
    const shell = [...inside, '--entrypoint=sh', image, '-ec']
    assert.equal(await call(...shell, 'id -un; touch /var/lib/tend/x && echo mine'), 'tend\nmine\n')
    assert.match(await call(...shell, 'cutepod --version'), /^tend \S+/)
    assert.match(await call(...inside, image, 'version'), /Node 24\.\d+\.\d+, linux-/)
    const tools = await call(
      ...shell,
      `git --version; ssh -V 2>&1; gpg --version | head -1
      mkdir /tmp/one && cd /tmp/one && git init -q . && git -c user.name=a -c user.email=b@c commit -q --allow-empty -m one
      git clone -q --bare /tmp/one /tmp/two && echo cloned
      ! git ls-remote https://127.0.0.1:1/x 2>&1`,
    )
    assert.match(tools, /^git version 2\..*\nOpenSSH_9.*\ngpg \(GnuPG\) 2.*\ncloned\nfatal: .*127/m)
    assert.match(tools, /Failed to connect to 127\.0\.0\.1 port 1/)
    const schema = await call(...inside, image, 'schema', 'tend.yaml')
    assert.equal(JSON.parse(schema).title, 'tend.yaml')
    // what was compiled ahead is taken by the Node whose symbols are gone
    const taken = `const fs = require('node:fs'), { Script } = require('node:vm'), p = '/usr/local/lib/tend/'
      const [source, cachedData] = ['work.cjs', 'work.code'].map((one) => fs.readFileSync(p + one))
      console.log(new Script(source.toString('latin1'), { cachedData }).cachedDataRejected)`
    const node = [...inside, '--entrypoint=/usr/local/lib/tend/node', image, '--eval', taken]
    assert.equal(await call(...node), 'false\n')
    for (const gone of ['npm', 'apt-get', 'perl', 'dpkg']) {
      assert.equal(await call(...shell, `command -v ${gone} || echo none`), 'none\n')
    }
  })

  await t.test('help takes at most 1.2 times as long as a Node that does nothing', async () => {
    const own = '/usr/local/lib/tend/node'
    const inside = ['run', '--rm', '--network=none', `--entrypoint=${own}`, image, '--eval']
    const printed = await call(...inside, helpRatioScript('tend', own))
    checkHelpRatio('image', printed, (text) => t.diagnostic(text))
  })

  await t.test('serves by the Compose file, and gets healthy', async () => {
    const place = join(folder, 'stack')
    const [state, declarations] = [join(folder, 'state'), join(place, 'declarations')]
    for (const one of [place, state, declarations]) mkdirSync(one, { recursive: true })
    copyFileSync('packaging/compose.yaml', join(place, 'compose.yaml'))
    writeFileSync(join(declarations, 'tend.yaml'), 'apps: []\n')
    writeFileSync(join(place, 'token'), 'x'.repeat(40))
    chmodSync(join(place, 'token'), 0o600)
    const port = await freePort()
    const env = {
      ...process.env,
      DOCKER_HOST: `unix://${podman.socket}`,
      TEND_HOME: join(folder, 'own'),
      HOME: folder,
    }
    const settings = `TEND_IMAGE=${image}\nTEND_SOCKET=${podman.socket}\nTEND_HOME=${state}\nTEND_PORT=${port}\n`
    writeFileSync(join(place, '.env'), settings)
    const tend = (...words: readonly string[]) =>
      run(resolve('bin/tend'), words, { cwd: place, env })
    await tend('up', '--allow-outside')
    try {
      const name = (await call('ps', '--format', '{{.Names}}')).trim()
      while ((await call('healthcheck', 'run', name).catch(() => 'not yet')) !== '') {
        await sleep(500)
      }
      const headers = { accept: 'text/html' }
      const page = await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text()
      assert.match(page, /<title>Tend/)
      const refused = await fetch(`http://127.0.0.1:${port}/api/v1/apps`)
      assert.equal(refused.status, 401)
    } finally {
      await tend('down')
    }
  })
})

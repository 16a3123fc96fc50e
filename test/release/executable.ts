/** The single file: it runs by itself on a machine without Node, serves with its dashboard, and confines what renders. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { debianRoot } from '../testbed/debian-root.ts'
import { checkHelpRatio, helpRatioScript } from '../testbed/help-ratio.ts'
import { addImage, exampleImage } from '../testbed/image.ts'
import { madeRelease } from '../testbed/made-release.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'

const skip = required('mmdebstrap') || required('qemu-aarch64-static') || required('podman')
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const nobody = 65_534

await test('the single file', { skip }, async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'tend-single-'))
  const program = join(scratch, 'tend')
  let made: string
  before(() => {
    made = madeRelease()
    copyFileSync(join(made, 'tend-linux-x64'), program)
  })
  after(() => rmSync(scratch, { recursive: true }))

  await t.test('is all that a Debian without Node needs, with root and without', () => {
    const debian = debianRoot()
    try {
      copyFileSync(program, join(debian.folder, 'usr/local/bin/any name'))
      cpSync('examples', join(debian.folder, 'srv'), { recursive: true })
      assert.equal(debian.run('command -v node').status, 127)
      for (const user of [0, nobody]) {
        const say = (words: string) => debian.run(`'/usr/local/bin/any name' ${words}`, user)
        assert.equal(say('--version').out, `tend ${version}\n`)
        assert.match(say('lint /srv/hello').out, /5 resources, no problems/)
        assert.match(say('kustomize build /srv/kustomization').out, /kind: Deployment\n/)
        assert.match(say('compose config -f /srv/stack/compose.yaml').out, /^services:$/m)
        assert.match(say('licenses').out, /^Node\.js +24\./m)
        assert.equal(say('lnit').status, 2)
      }
    } finally {
      debian.remove()
    }
  })

  await t.test('help takes at most 1.2 times as long as a Node that does nothing', () => {
    const name = `tend-${version}-linux-x64`
    execFileSync('tar', ['-C', scratch, '-xf', join(made, `${name}.tar.gz`)])
    const node = join(scratch, name, 'lib/tend/node')
    const script = helpRatioScript(program, node)
    const printed = execFileSync(node, ['--eval', script], { encoding: 'utf8' })
    checkHelpRatio('single file', printed, (text) => t.diagnostic(text))
  })

  await t.test('the one for arm64 runs', () => {
    const words = ['-L', '/usr/aarch64-linux-gnu', join(made, 'tend-linux-arm64')]
    const version = spawnSync('qemu-aarch64-static', [...words, 'version'])
    assert.match(version.stdout.toString(), /Node 24\.\d+\.\d+, linux-arm64/)
    const lint = spawnSync('qemu-aarch64-static', [...words, 'lint', 'examples/hello'])
    assert.match(lint.stdout.toString(), /5 resources, no problems/)
  })

  await t.test(
    'serves a chart, renders it in a process with a limit, and shows the dashboard',
    async () => {
      const podman = await startPodman()
      const port = await freePort()
      const address = `http://127.0.0.1:${port}`
      const env = {
        PATH: '/usr/bin:/bin',
        HOME: scratch,
        TEND_HOME: join(scratch, 'home'),
        CONTAINER_HOST: `unix://${podman.socket}`,
      }
      await addImage(podman.socket, exampleImage)
      cpSync('examples/hello', join(scratch, 'charts/hello'), { recursive: true })
      const declared = `listen: 127.0.0.1:${port}
sources: { here: { directory: ${join(scratch, 'charts')} } }
apps: [{ chart: hello, source: here, path: hello, values: { port: ${await freePort()} } }]
`
      writeFileSync(join(scratch, 'tend.yaml'), declared)
      const words = ['serve', '-c', join(scratch, 'tend.yaml')]
      const service = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      const said: string[] = []
      for (const stream of [service.stdout, service.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
      }
      const tend = (line: string) => spawnSync(program, line.split(' '), { env, encoding: 'utf8' })
      try {
        await until(said, () => /^.*hello.*synced.*healthy/m.test(tend('get apps').stdout))
        const limits = renderProcessesOf(service.pid).map((pid) =>
          readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'),
        )
        assert.ok(limits.length > 0, 'no process renders')
        for (const variables of limits) {
          assert.match(variables.join(' '), /NODE_OPTIONS=--max-old-space-size=\d+/)
        }
        const headers = { accept: 'text/html' }
        const page = await (await fetch(`${address}/`, { headers })).text()
        const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? []
        const asset = await fetch(address + script)
        assert.equal(asset.status, 200, page)
        assert.match(asset.headers.get('content-type') ?? '', /javascript/)
      } finally {
        service.kill()
        await once(service, 'close')
        tend('uninstall hello --yes')
        await podman.stop()
      }
    },
  )
})

function renderProcessesOf(parent: number | undefined): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [, parentOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return words[1] === '__render' && Number(parentOf) === parent
    } catch {
      // it has ended since the list was read
      return false
    }
  })
}

async function until(said: readonly string[], isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 240; tries += 1) {
    if (isSo()) return
    await sleep(500)
  }
  assert.fail(`it did not happen within two minutes:\n${said.join('')}`)
}

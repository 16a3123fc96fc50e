/** The Debian package under a real systemd: enabled, ready by its own word, reloaded, started anew by an upgrade, ended, purged. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { madeRelease } from '../testbed/made-release.ts'
import { required } from '../testbed/packages.ts'
import { waitFor } from '../testbed/serving.ts'
import { startSystemdMachine } from '../testbed/systemd-machine.ts'

const skip =
  required('mmdebstrap') ||
  required('qemu-aarch64-static') ||
  (process.getuid?.() === 0 ? false : 'only root can')
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const name = `tend_${version}_amd64.deb`

await test('the Debian package under systemd', { skip }, async (t) => {
  const made = madeRelease()
  const machine = await startSystemdMachine()
  t.after(() => machine.stop())
  const done = (line: string): string => {
    const { status, out, err } = machine.run(line)
    assert.equal(
      status,
      0,
      `${line}\n${out}${err}${machine.run('journalctl -u tend --no-pager').out}`,
    )
    return out.trim()
  }
  const shown = (field: string) => done(`systemctl show tend --property=${field} --value`)

  execFileSync('cp', [join(made, name), join(machine.folder, 'root', name)])
  done(`dpkg -i /root/${name}`)
  // nothing is started by itself
  assert.equal(machine.run('systemctl is-active tend').out, 'inactive\n')
  done('systemd-analyze verify /usr/lib/systemd/system/tend.service')
  // Type=notify: this returns when the service itself said that it is ready
  done('systemctl enable --now tend')
  assert.equal(shown('ActiveState'), 'active')
  assert.match(done('tend get apps'), /no apps/)
  const first = shown('MainPID')
  assert.equal(shown('WatchdogUSec'), '1min')
  assert.match(done(`cat /proc/${first}/status`), /^NoNewPrivs:\s+1$/m)

  done(
    'printf "apps:\\n  - { stack: web, source: here, path: web }\\nsources: { here: { directory: /srv } }\\n" > /etc/tend/tend.yaml',
  )
  done('systemctl reload tend')
  await waitFor(() => /web +stack/.test(machine.run('tend get apps').out))
  assert.equal(shown('MainPID'), first)

  // an upgrade: the operator's file stays, the service is started anew with the new program
  const newer = 'tend_99.0.0_amd64.deb'
  done(`mkdir /root/newer && cd /root/newer && dpkg-deb -R ../${name} . \\
    && sed -i 's/^Version: .*/Version: 99.0.0/' DEBIAN/control && dpkg-deb -Znone -b . ../${newer}`)
  done(`dpkg -i --force-confold /root/${newer}`)
  assert.equal(done("dpkg-query -W -f '${Version}' tend"), '99.0.0')
  assert.equal(shown('ActiveState'), 'active')
  assert.notEqual(shown('MainPID'), first)
  await waitFor(() => /web +stack/.test(machine.run('tend get apps').out))

  // what ends in trouble comes back
  const second = shown('MainPID')
  done(`kill -KILL ${second}`)
  await waitFor(() => !['0', second].includes(shown('MainPID')))

  done('dpkg -r tend')
  assert.notEqual(machine.run('systemctl is-active tend').status, 0)
  done('test -s /var/lib/tend/tend.db && test -s /etc/tend/tend.yaml')
  done('dpkg -P tend')
  done('test ! -e /var/lib/tend && test ! -e /etc/tend && ! getent passwd tend')
})

/** Volumes are judged by a list of what is harmless: all else is asked for, and named. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksOfVolume } from './policy-volumes.ts'

type Options = Readonly<Record<string, string>>

function asked(driver: string, options: Options): string {
  const asks = asksOfVolume(driver, options, ['/srv/shop'])
  return asks.map(({ rule, what }) => `${rule}: ${what}`).join('; ')
}

test('plain volumes, memory and binds of own folders ask for nothing', () => {
  const harmless: readonly Options[] = [
    {},
    { o: 'uid=1000,gid=1000' },
    { type: 'tmpfs', device: 'tmpfs' },
    { type: 'tmpfs', device: 'tmpfs', o: 'size=64m,mode=1777,uid=1,gid=1,nosuid,nodev,noexec' },
    { type: 'tmpfs', device: 'none', o: 'size=10%' },
    { type: 'none', device: '/srv/shop/data', o: 'bind' },
    { type: 'none', device: '/srv/shop/data', o: 'rbind,ro' },
  ]
  for (const options of harmless) {
    assert.equal(asked('local', options), '', JSON.stringify(options))
    assert.equal(asked('', options), '')
  }
})

test('everything else is asked for', () => {
  const cases: readonly (readonly [Options, string])[] = [
    [{ device: 'LABEL=root' }, 'outsideBinds: a volume of device LABEL=root'],
    [{ device: 'UUID=1', type: 'ext4' }, 'outsideBinds: a volume of type ext4, device UUID=1'],
    [{ o: 'move', device: 'tmp/x' }, 'outsideBinds: a volume of device tmp/x, mount options move'],
    [{ o: 'remount,rw' }, 'outsideBinds: a volume of mount options remount,rw'],
    [
      { type: 'none', o: 'bind,shared', device: '/srv/shop' },
      'outsideBinds: a volume of type none, device /srv/shop, mount options bind,shared',
    ],
    [{ type: 'none', o: 'bind', device: '/etc' }, 'outsideBinds: a mount of /etc'],
    [{ type: 'bind', device: '/etc' }, 'outsideBinds: a volume of type bind, device /etc'],
    [
      { type: 'none', o: 'bind', device: '/srv/shop/../../run/docker.sock' },
      'engineSocket: a mount of /srv/shop/../../run/docker.sock; outsideBinds: a mount of /srv/shop/../../run/docker.sock',
    ],
    [
      { type: 'tmpfs', device: '/dev/sda1' },
      'outsideBinds: a volume of type tmpfs, device /dev/sda1',
    ],
    [
      { type: 'overlay', device: 'overlay', o: 'lowerdir=/etc' },
      'outsideBinds: a volume of type overlay, device overlay, mount options lowerdir',
    ],
    [{ type: 'proc' }, 'outsideBinds: a volume of type proc'],
    [{ image: 'x' }, 'outsideBinds: a volume of option image'],
    [{ type: 'nfs', device: ':/x', o: 'addr=10.0.0.1,rw' }, 'networkVolumes: a volume of nfs :/x'],
    [
      { type: 'cifs', device: '//nas/x', o: 'username=a,password=planted' },
      'networkVolumes: a volume of cifs //nas/x',
    ],
    [
      { type: 'nfs', device: '/etc', o: 'bind' },
      'outsideBinds: a volume of type nfs, device /etc, mount options bind',
    ],
  ]
  for (const [options, told] of cases) assert.equal(asked('local', options), told)
  assert.equal(asked('vieux/sshfs', {}), 'volumeDrivers: a volume of the driver vieux/sshfs')
})

test('no password is told', () => {
  assert.doesNotMatch(asked('local', { type: 'odd', o: 'password=planted' }), /planted/)
})

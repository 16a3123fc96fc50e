/** Volumes are judged by a list of what is harmless: all else is asked for, and named. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksOfLimits, asksOfParameters, asksOfStorage } from './engine-option-rules.ts'
import { asksOfMemory, asksOfVolume } from './policy-volumes.ts'

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
      'networkVolumes: a volume of nfs /etc; outsideBinds: the device /etc of a volume of nfs /etc; outsideBinds: the mount option bind of a volume of nfs /etc',
    ],
  ]
  for (const [options, told] of cases) assert.equal(asked('local', options), told)
  assert.equal(asked('vieux/sshfs', {}), 'volumeDrivers: a volume of the driver vieux/sshfs')
})

test('options of NFS and CIFS are a list of what is known to be harmless', () => {
  const nfs = { type: 'nfs4', device: 'nas:/x' }
  const cifs = { type: 'cifs', device: '//nas/x' }
  const usual = [
    {
      ...nfs,
      o: 'addr=10.0.0.1,nfsvers=4.2,proto=tcp,rsize=1048576,timeo=600,hard,nolock,noatime',
    },
    { ...nfs, o: 'addr=10.0.0.1,soft,retrans=2,sec=sys,ro,nosuid' },
    {
      ...cifs,
      o: 'username=a,password=p=,vers=3.0,uid=1000,gid=1000,file_mode=0644,dir_mode=0755',
    },
  ]
  for (const options of usual) {
    const told = `networkVolumes: a volume of ${options.type} ${options.device}`
    assert.equal(asked('local', options), told)
  }
  // each of them reads a file of the host, starts a program there, or uses what the host is logged in with
  const odd =
    'credentials=/root/secret cred=/root/secret helper=x uhelper=x X-mount.mkdir remount move loop sec=krb5 cruid=0 multiuser context=x fsc Move'
  for (const option of odd.split(' ')) {
    const name = option.startsWith('sec') ? option : option.replace(/=.*/, '')
    for (const options of [nfs, cifs]) {
      const told = `; outsideBinds: the mount option ${name} of a volume of ${options.type} ${options.device}`
      assert.ok(asked('local', { ...options, o: `ro,${option}` }).endsWith(told), option)
    }
  }
  for (const device of ['/etc', '--bind', '-o', 'etc', '']) {
    const [first] = asksOfVolume('local', { type: 'cifs', device }, []).slice(1)
    assert.match(first?.what ?? '', /^the device /, device)
    assert.equal(first?.rule, 'outsideBinds')
  }
})

test('no password is told', () => {
  assert.doesNotMatch(asked('local', { type: 'odd', o: 'password=planted' }), /planted/)
  const options = { type: 'cifs', device: '//nas/x', o: 'password=planted,passwd=planted,planted2' }
  assert.doesNotMatch(asked('local', options), /=planted/)
})

test('folders in memory have harmless options alone', () => {
  const told = (text: string): readonly string[] => asksOfMemory(text).map(({ what }) => what)
  for (const text of ['/x', '/x:size=64m,mode=1777,uid=1,gid=2', '/x:rw,noexec,nosuid,exec']) {
    assert.deepEqual(told(text), [], text)
  }
  for (const option of [
    'shared',
    'bind',
    'size=1m:/etc',
    'mode=1,',
    'huge=always',
    'mpol=bind:0',
  ]) {
    assert.equal(told(`/x:${option}`).length, 1, option)
  }
})

test('kernel parameters, limits and storage options are those of the container alone', () => {
  const own = ['net.core.somaxconn', 'net.ipv4.conf.eth0/1.forwarding', 'kernel.shmmax']
  assert.deepEqual(asksOfParameters([...own, 'fs.mqueue.msg_max']), [])
  for (const name of [
    'kernel.core_pattern',
    'vm.swappiness',
    'net./../kernel.panic',
    'fs.nr_open',
    'NET.x',
  ]) {
    assert.equal(asksOfParameters([name]).length, 1, name)
  }
  assert.deepEqual(asksOfLimits(['nofile', 'nproc', 'memlock']), [])
  assert.equal(asksOfLimits(['rtprio', 'RLIMIT_NICE']).length, 2)
  assert.deepEqual([asksOfStorage(['size']).length, asksOfStorage(['x']).length], [0, 1])
})

/** What a followed application may bind, held against a real disk. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { allowAll, denyAll } from '#model/policy.ts'
import { assertConfined, ownFileAt, type Confinement, type HostBind } from './confinement.ts'

const root = mkdtempSync(join(tmpdir(), 'tend-confined-'))
after(() => rmSync(root, { recursive: true }))
for (const folder of ['allowed/data/sub', 'home/files/app-shop/data', 'own/site', 'other']) {
  mkdirSync(join(root, folder), { recursive: true })
}
symlinkSync('/', join(root, 'allowed/link'))
symlinkSync(join(root, 'allowed/data'), join(root, 'allowed/inside'))
symlinkSync('/etc', join(root, 'home/files/app-shop/link'))

const confinement: Confinement = {
  owner: 'here:stack:shop',
  key: 'stack:shop',
  source: 'git.test/shop',
  sources: { of: () => undefined, note() {}, hasFiles: () => false },
  policy: { ...denyAll, allowedRoots: [join(root, 'allowed')] },
  ownRoots: [join(root, 'own')],
  files: {
    folder: join(root, 'home/files'),
    seenAs: join(root, 'home/files'),
    home: join(root, 'home'),
  },
  ownFolder: 'app-shop',
  sees: () => true,
  tasks: { perform: async () => undefined },
  cacheKey: 'key',
  neighbour: () => undefined,
}

function bind(path: string, isWritable = true, holder = 'web'): HostBind {
  return { path: path.startsWith('/') ? path : join(root, path), isWritable, holder }
}

/** Why it is refused; empty: it is not. */
async function refusal(
  own: HostBind,
  others: readonly HostBind[] = [],
  more: Partial<Confinement> = {},
): Promise<string> {
  try {
    await assertConfined({ ...confinement, ...more }, [own], others, () =>
      assert.fail('no warnings'),
    )
    return ''
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(root, '') : ''
  }
}

test('its own folders, what was laid down for it and what the operator allows', async () => {
  for (const path of [
    'own',
    'own/site',
    'own/not-there-yet',
    'allowed/data',
    'allowed/inside',
    'home/files/app-shop/data',
    'home/files/0123456789abcdef/conf',
  ]) {
    assert.equal(await refusal(bind(path)), '', path)
  }
})

test('links that lead out, strangers, and the folders of Tend itself', async () => {
  const cases = {
    'allowed/link/etc': /where a link leads to \/etc/,
    'home/files/app-shop/link': /where a link leads to \/etc/,
    'home/files/app-victim/data': /a mount of \/home\/files\/app-victim\/data is denied/,
    'home/key': /denied/,
    home: /denied/,
    other: /a mount of \/other is denied/,
    [`${root}/allowed/link/../etc`]: /denied/,
    '/etc': /a mount of \/etc is denied/,
  }
  for (const [path, told] of Object.entries(cases))
    assert.match(await refusal(bind(path)), told, path)
  const roots = { policy: { ...denyAll, allowedRoots: [root] } }
  assert.match(await refusal(bind('home/key'), [], roots), /denied/)
  assert.match(await refusal(bind('.'), [], roots), /denied/)
})

test('nobody may write above it, and nobody has bound something below it', async () => {
  const inner = bind('allowed/data/sub', false)
  const writer = bind('allowed/data', true, 'media-1')
  assert.match(await refusal(inner, [writer]), /lies in .*, which the container media-1 may write/)
  assert.equal(await refusal(inner, [{ ...writer, isWritable: false }]), '')
  assert.match(await refusal(inner, [{ ...writer, holder: 'web' }]), /may write/)
  assert.equal(await refusal(bind('allowed/data'), [writer]), '')
  assert.match(
    await refusal(bind('allowed/data'), [{ ...inner, holder: 'b' }]),
    /in which the container b mounts/,
  )
  assert.equal(await refusal(bind('allowed/data', false), [{ ...inner, holder: 'b' }]), '')
  // the same folder by another name
  const alias = bind('allowed/inside/sub', false)
  assert.match(await refusal(alias, [writer]), /may write/)
})

test('whoever has the whole host, and Tend in a container, are no danger', async () => {
  const laid = bind('home/files/app-shop/data')
  assert.equal(await refusal(laid, [bind('/', true, 'backup')]), '')
  assert.equal(await refusal(laid, [bind('home', true, 'tend')]), '')
  assert.match(await refusal(laid, [bind('home/files/app-shop', true, 'old')]), /may write/)
})

test('what can not be seen is refused, and what is allowed is not looked at', async () => {
  const unseen = { sees: () => false }
  assert.match(await refusal(bind('allowed/data'), [], unseen), /can't be checked/)
  assert.equal(await refusal(bind('home/files/app-shop/data'), [], unseen), '')
  assert.equal(await refusal(bind('/etc'), [], { policy: allowAll }), '')
  const heard: string[] = []
  const policy = { ...denyAll, outsideBinds: 'warn' } as const
  await assertConfined({ ...confinement, policy }, [bind('/etc')], [], (text) => heard.push(text))
  assert.match(heard.join(), /a mount of \/etc: the policy warns of it/)
})

test('many mounts take as long as there are, not as many times as there are others', async () => {
  const own = Array.from({ length: 1_000 }, (_, at) => bind(`own/site/${at}`))
  const others = Array.from({ length: 20_000 }, (_, at) => bind(`other/${at}/data`, true, 'b'))
  const look = (binds: readonly HostBind[]): Promise<void> =>
    assertConfined(confinement, binds, others, () => assert.fail('no warnings'))
  const { user } = process.cpuUsage()
  await look(own)
  // processor time, and many times of what it takes: compared one by one it would be minutes
  assert.ok(process.cpuUsage().user - user < 10e6)
  await assert.rejects(look([...own, bind('own')]), /web has 1001 mounts, more than the 1000/)
})

test('contexts of builds are its own files, and nothing behind a link', () => {
  const own = join(root, 'own/site')
  assert.equal(ownFileAt(confinement, own), own)
  symlinkSync('/etc', join(root, 'own/out'))
  for (const path of ['own/out', 'own/out/passwd', 'home/files/app-shop/link', 'other']) {
    assert.throws(() => ownFileAt(confinement, join(root, path)), /not the application's own/, path)
  }
})

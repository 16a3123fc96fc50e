/** What `npm run build` makes works from anywhere, under both names, with its kept machine code and without. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { Script } from 'node:vm'
import { builtProgram } from '../runner/build-program.ts'
import { gitBench } from '../testbed/git.ts'
import { addImage, busybox, exampleImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'
import { servingOn } from '../testbed/serving.ts'
import { tendOn, type Tend } from '../testbed/tend.ts'

const skip = required('podman')

test('the release', { skip }, async (t) => {
  let podman: TestPodman
  let shell: Tend
  let scratch: string
  before(async () => {
    execFileSync(process.execPath, ['release/build.ts'])
    podman = await startPodman()
    await addImage(podman.socket)
    await addImage(podman.socket, exampleImage)
    scratch = mkdtempSync(join(tmpdir(), 'tend-release-'))
    cpSync('dist', join(scratch, 'package'), { recursive: true })
    symlinkSync('package/tend', join(scratch, 'cutepod'))
    shell = tendOn(podman.socket, join(scratch, 'cutepod'))
  })
  after(async () => {
    await podman.stop()
    shell.remove()
    rmSync(scratch, { recursive: true })
  })

  function own(words: string): Promise<Awaited<ReturnType<Tend['tend']>>> {
    return shell.tend(words, { TEND_NODE: process.execPath })
  }

  await t.test('installs, finds nothing to do, plans, uninstalls', async () => {
    const chart = resolve('examples/hello')
    const set = `--set port=${await freePort()}`
    const installed = await own(`install ${chart} ${set}`)
    assert.equal(installed.code, 0, installed.out + installed.err)
    const again = await own('upgrade hello')
    assert.match(again.out, /5 unchanged/)
    assert.equal((await own('plan hello --exit-code')).code, 0)
    assert.equal((await own('plan hello --set greeting=hi --exit-code')).code, 3)
    assert.equal((await own('status')).code, 0)
    const gone = await own('uninstall hello --prune-volumes')
    assert.equal(gone.code, 0, gone.out + gone.err)
  })

  await t.test('says what is wrong as the source does', async () => {
    const typo = await own('instal x -o json')
    assert.equal(typo.code, 2)
    assert.match(typo.out, /"suggestion": "did you mean install\?"/)
    assert.match((await own('status none')).err, /nothing is installed yet|no chart named/)
    assert.match((await own('--version')).out, /^tend \d/)
    assert.match((await own('compose config --env-file nope.env')).err, /nope\.env.*\n/)
    assert.equal((await own('compose config --env-file nope.env')).code, 2)
  })

  await t.test('says what it is, and whose work is inside', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const said = JSON.parse((await own('version -o json')).out)
    assert.equal(said.version, version)
    assert.match(said.commit, /^[0-9a-f]{40}(-changed)?$/)
    assert.match(said.date, /^\d{4}-\d\d-\d\dT/)
    assert.equal((await own('--version')).out, `tend ${version}\n`)
    const { licenses } = JSON.parse((await own('licenses -o json')).out)
    const names = licenses.map(({ name }: { name: string }) => name)
    for (const name of ['@tend/cli', 'Node.js', 'yaml', 'zod']) assert.ok(names.includes(name))
    const texts = (await own('licenses --verbose')).out
    assert.match(texts, /Apache License/)
    assert.match(texts, /Permission to use, copy, modify, and\/or distribute/)
  })

  await t.test('on a Node that is too old, one sentence says so', () => {
    const older = join(scratch, 'older.cjs')
    writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })")
    const words = ['--require', older, join(scratch, 'package/tend.cjs'), 'list']
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /^tend: this is Node 20\.20\.2, and Tend needs Node 24 or newer: .*\n$/)
  })

  await t.test('all of its machine code is taken by the Node that it was kept for', () => {
    const program = join(scratch, 'package')
    for (const file of readdirSync(program).filter((name) => name.endsWith('.code'))) {
      const source = readFileSync(join(program, file.replace(/code$/, 'cjs')), 'latin1')
      const cachedData = readFileSync(join(program, file))
      assert.equal(new Script(source, { cachedData }).cachedDataRejected, false, file)
    }
  })

  await t.test('built again, in another folder, it has equal bytes', async () => {
    // the one that a run of many files has made before, in a folder of its own
    const again = dirname(await builtProgram())
    const filesIn = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        // a link there, for tests
        .filter((name) => statSync(join(folder, name)).isFile() && name !== 'node')
        .toSorted()
    assert.deepEqual(filesIn(again), filesIn('dist'))
    for (const file of filesIn(again)) {
      assert.ok(readFileSync(join(again, file)).equals(readFileSync(join('dist', file))), file)
    }
  })

  await t.test('does without the kept machine code', async () => {
    const program = join(scratch, 'package')
    rmSync(join(program, 'work.code'))
    const words = [join(program, 'tend.cjs'), 'lint', 'examples/hello']
    const told = execFileSync(process.execPath, words, { encoding: 'utf8' })
    assert.equal(told, 'examples/hello: 5 resources, no problems\n')
  })

  await t.test(
    'serves: what a repository holds is rendered by a process of the release',
    async () => {
      const git = gitBench()
      const environment = { CONTAINER_HOST: `unix://${podman.socket}`, TEND_NODE: process.execPath }
      const serving = await servingOn(environment, join(scratch, 'package/tend'))
      try {
        git.commit('one', {
          'web/Chart.yaml': 'name: web\nversion: 1.0.0\n',
          'web/templates/web.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: {{ .Chart.Name }} }
spec: { image: ${busybox}, command: [sleep], args: ["1000"] }
`,
        })
        serving.declare(`
sources: { infra: { git: "${git.bare}", ref: main } }
discover: [{ source: infra }]
`)
        await serving.start()
        await serving.until('chart:web', ({ state }) => state === 'synced')
      } finally {
        await serving.remove()
        git.remove()
      }
    },
  )
})

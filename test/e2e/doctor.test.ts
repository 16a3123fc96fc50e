/** `tend doctor` on a machine that has nothing, and with a real Podman; `tend upgrade-check` asks only whom it is told to ask. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { tendProgram } from '../testbed/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'tend-doctor-'))
after(() => rmSync(folder, { recursive: true }))
const tools = join(folder, 'bin')
mkdirSync(tools)
for (const name of ['sh', 'dirname', 'readlink']) symlinkSync(`/usr/bin/${name}`, join(tools, name))

type Told = { readonly code: number; readonly out: string; readonly err: string }

/** With nothing on the PATH but what the launcher needs. */
function tend(words: readonly string[], env: Record<string, string> = {}): Promise<Told> {
  const bare = { PATH: tools, HOME: folder, TEND_HOME: join(folder, 'home'), ...env }
  return new Promise((done) => {
    execFile(resolve(tendProgram()), words, { env: bare }, (error, out, err) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
  })
}

type Finding = { name: string; state: string; found: string; costs?: string; mend?: string }

async function findings(env: Record<string, string>) {
  const { code, out } = await tend(['doctor', '-o', 'json'], env)
  const told: { usable: boolean; findings: Finding[] } = JSON.parse(out)
  const of = (name: string) => told.findings.find((one) => one.name === name)
  return { code, ...told, of }
}

test('where nothing is, it says what each missing thing costs and how to mend it', async () => {
  const nowhere = { CONTAINER_HOST: `unix://${folder}/none`, DOCKER_HOST: `unix://${folder}/none` }
  const { code, usable, of, findings: all } = await findings(nowhere)
  assert.equal(code, 1)
  assert.equal(usable, false)
  assert.equal(of('Podman')?.state, 'broken')
  assert.equal(of('engine of stacks')?.state, 'broken')
  assert.match(
    of('Tend')?.found ?? '',
    /^\d+\.\d+\.\d+ on Node 24\.\S+, linux-\w+, as \S+ \(\d+\)$/,
  )
  assert.equal(of('Git')?.state, 'missing')
  assert.match(of('kubeconfig')?.found ?? '', /^there is no .*\.kube\/config$/)
  assert.equal(of('Git')?.mend, 'apt-get install -y git')
  for (const one of all.filter(({ state }) => state !== 'ok')) {
    assert.ok(one.costs !== undefined && one.mend !== undefined, one.name)
  }
  const { out } = await tend(['doctor'], nowhere)
  assert.match(out, /^~ Git .*\n {4}so: the service follows .*\n {4}mend it: apt-get/m)
})

test('a real Podman is found, with its version', { skip: required('podman') }, async (t) => {
  const podman = await startPodman()
  t.after(() => podman.stop())
  const {
    code,
    of,
    findings: all,
  } = await findings({
    PATH: `${tools}:/usr/bin:/bin`,
    CONTAINER_HOST: `unix://${podman.socket}`,
  })
  assert.equal(code, 0, JSON.stringify(all, null, 1))
  assert.match(of('Podman')?.found ?? '', /^\d+\.\d+\.\d+ at unix:\/\//)
  assert.match(of('engine of stacks')?.found ?? '', /^Podman \d/)
  assert.match(of('images of Podman')?.found ?? '', /^\/.+, \d+\.\d GB free$/)
  assert.match(of('Git')?.found ?? '', /^\d+\.\d+.* \/usr\/bin\/git$/)
})

test('the cluster of the kubeconfig is asked, and what does not answer is broken', async (t) => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.statusCode = request.url === '/version' ? 200 : 404
    response.end('{"gitVersion":"v1.36.3"}')
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo
  const file = join(folder, 'kubeconfig')
  const at = `http://127.0.0.1:${port}`
  writeFileSync(
    file,
    `apiVersion: v1
kind: Config
current-context: one
contexts: [{ name: one, context: { cluster: one, user: one } }]
clusters: [{ name: one, cluster: { server: "${at}" } }]
users: [{ name: one, user: { token: secret } }]
`,
  )
  t.after(() => server.close())
  const env = { KUBECONFIG: file, CONTAINER_HOST: `unix://${folder}/none` }
  const found = (await findings(env)).of('kubeconfig')
  assert.deepEqual(found, { name: 'kubeconfig', state: 'ok', found: `Kubernetes v1.36.3 at ${at}` })
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  const gone = (await findings(env)).of('kubeconfig')
  assert.equal(gone?.state, 'broken')
  assert.match(gone?.found ?? '', new RegExp(`${at}.*refuse`, 'i'))
  assert.ok(gone?.costs !== undefined && gone.mend !== undefined)
})

test('upgrade-check compares by numbers, with a folder or an address that is named', async (t) => {
  const sums = ['0.9.0', '0.10.0', '0.0.1'].map((one) => `00  tend-${one}-linux-x64.tar.gz\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  assert.match((await tend(['upgrade-check', folder])).out, /^tend 0\.10\.0 is there/)
  assert.equal((await tend(['upgrade-check', folder, '--exit-code'])).code, 3)
  const server = createServer((_, response) => response.end(sums[2])).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((done) => server.once('listening', done))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo
  const told = await tend(['upgrade-check', `http://127.0.0.1:${port}/SHA256SUMS`, '-o', 'json'])
  assert.equal(JSON.parse(told.out).isNewer, false)
  const unasked = await tend(['upgrade-check'])
  assert.equal(unasked.code, 2)
  assert.match(unasked.err, /it asks nobody by itself/)
  assert.match(
    (await tend(['upgrade-check', join(folder, 'none')])).err,
    /none: there is no such file/,
  )
  mkdirSync(join(folder, 'empty'))
  assert.match(
    (await tend(['upgrade-check', join(folder, 'empty')])).err,
    /empty: there is no SHA256SUMS in this folder/,
  )
})

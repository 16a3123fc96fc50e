/** Runs what people run most, so that its machine code is kept: each run adds what it compiled. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { channels, frameOf, frameReader } from '#controller/render/frames.ts'
import { denyAll } from '#model/policy.ts'

const chart = 'examples/hello'
const stack = '-f examples/stack/compose.yaml'
const commands = [
  `lint ${chart}`,
  `plan ${chart}`,
  `install ${chart}`,
  'list',
  'status -o yaml',
  'schema',
  'schema tend.yaml',
  `compose config ${stack}`,
  `compose plan ${stack}`,
  `up ${stack}`,
  'serve -c nowhere.yaml',
  'kube install --export',
  'get apps',
]

/** Loads the engine for patterns. */
const withPattern = `configMapGenerator:
- {name: web, literals: [a=b], options: {disableNameSuffixHash: true}}
patches:
- target: {kind: Config.*, name: (web|api)-?.*}
  patch: '[{"op": "replace", "path": "/data/a", "value": "c"}]'
`

/** Podman and Docker are played by a server that has nothing and allows nothing: what fails compiles as well as what works. */
export async function keepCode(program: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tend-build-'))
  const socket = join(folder, 'podman.sock')
  const server = createServer((request, response) => {
    response.statusCode = request.method === 'GET' ? 200 : 404
    response.end(request.url?.includes('/json') === true ? '[]' : '{}')
  })
  await new Promise<void>((done) => server.listen(socket, done))
  const environment = {
    ...process.env,
    TEND_HOME: join(folder, 'home'),
    CONTAINER_HOST: `unix://${socket}`,
    DOCKER_HOST: `unix://${socket}`,
    TEND_KEEP_CODE: 'yes',
  }
  const patterns = join(folder, 'patterns')
  mkdirSync(patterns)
  writeFileSync(join(patterns, 'kustomization.yaml'), withPattern)
  for (const command of [...commands, `kustomize build ${patterns}`]) {
    await run(program, command.split(' '), environment)
  }
  await render(program, environment)
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
}

function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [program, ...words], { env, stdio: 'ignore' })
    child.on('error', fail)
    child.on('close', () => done())
  })
}

/** A render process as the service has it: asked for a chart, a stack and what a tree holds, then left alone. */
function render(program: string, env: NodeJS.ProcessEnv): Promise<void> {
  const shared = { seed: new Uint8Array(32), values: {}, path: '', security: denyAll, since: 0 }
  const application = { kind: 'chart', namespace: null, name: 'hello' }
  const filesIn = (folder: string) => {
    return { folder: resolve(folder), revision: '1', root: folder, omitted: [] }
  }
  const places = {
    root: '/repository',
    bindFiles: { folder: '/tmp', seenAs: '/tmp' },
    startedBy: {},
  }
  const own = { ...places, composeFiles: [], profiles: [], isDirectory: false, sharesFiles: true }
  const stackFiles = filesIn('examples/stack')
  const found = {
    path: '',
    depth: 2,
    include: [],
    exclude: [],
    prefix: '',
    values: {},
    policy: { dependsOn: [] },
  }
  const requests = [
    { name: 'render', request: { ...shared, application, files: filesIn(chart) } },
    {
      name: 'render',
      request: {
        ...shared,
        ...own,
        application: { ...application, kind: 'stack' },
        files: stackFiles,
      },
    },
    { name: 'discovery', request: { files: filesIn('examples'), discovery: found } },
  ]
  return new Promise((done, fail) => {
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const
    const child = spawn(process.execPath, [program, '__render'], { env, stdio: [...stdio] })
    const pipe = child.stdio[channels.messages]
    if (!(pipe instanceof Socket)) return fail(new TypeError('there is no pipe'))
    for (const asked of requests) pipe.write(frameOf('request', asked))
    let answers = 0
    const reader = frameReader()
    pipe.on('data', (part: Buffer) => {
      for (const { kind } of reader.push(part)) {
        if (kind === 'answer' || kind === 'problem') answers += 1
        if (answers === requests.length) pipe.end()
      }
    })
    child.on('error', fail)
    child.on('close', () => done())
  })
}

/** Runs what people run most, so that its machine code is kept: each run adds what it compiled. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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

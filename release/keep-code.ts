/** Runs what people run most, so that its machine code is kept: each run adds what it compiled. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { channels, frameOf, frameReader } from '#controller/render/frames.ts'
import { denyAll } from '#model/policy.ts'

/** Each with the code that it ends with on a machine that has nothing; `@` stands for the scratch folder. */
const commands: readonly (readonly [words: string, code: number])[] = [
  ['lint @/hello', 0],
  ['plan @/hello', 0],
  ['install @/hello', 1],
  ['list', 0],
  ['status -o yaml', 1],
  ['schema', 0],
  ['schema tend.yaml', 0],
  ['compose config -f @/stack/compose.yaml', 0],
  ['compose plan -f @/stack/compose.yaml', 0],
  ['up -f @/stack/compose.yaml', 1],
  ['serve -c nowhere.yaml', 2],
  ['kube install --export', 0],
  ['get apps', 0],
  ['kustomize build @/patterns', 0],
]

/** Loads the engine for patterns. */
const withPattern = `configMapGenerator:
- {name: web, literals: [a=b], options: {disableNameSuffixHash: true}}
patches:
- target: {kind: Config.*, name: '(web|api)-?.*'}
  patch: '[{"op": "replace", "path": "/data/a", "value": "c"}]'
`

/**
 * Each function that V8 meets gets the next number, and the numbers are kept: one function more, anywhere in a run, and all later ones
 * have others. So nothing is left to chance: neither V8's random numbers nor its threads, files and answers come one at a time, a slow
 * machine takes no longer than a quick one, and what else the machine has or does is not looked at.
 */
const sameAgain = [
  '--predictable',
  '--random-seed=1',
  // so large that no garbage is looked for: when that happens depends on speed, and what was compiled long ago is dropped by it
  '--min-semi-space-size=128',
  '--no-memory-reducer',
]
const onePool = { UV_THREADPOOL_SIZE: '1' }

/**
 * Loaded before the program: time stands still, what is to happen in a second or later never does, and nobody is silent for too long:
 * on a busy machine an emulator is, and a limit that runs out is another run than the one before.
 */
export const stillTime = `
const timers = require('node:timers'), never = 2 ** 31 - 1
for (const name of ['setTimeout', 'setInterval']) {
  const start = timers[name]
  timers[name] = globalThis[name] = (call, after, ...more) => start(call, after < 1000 ? after : never, ...more)
}
require('node:net').Socket.prototype.setTimeout = function () { return this }
AbortSignal.timeout = () => new AbortController().signal
Date.now = () => 1.7e12
performance.now = () => 1000
`

/** What no command of the build needed is kept as it is compiled at first. */
const keepUnused = `
const fs = require('node:fs'), { Script } = require('node:vm'), folder = process.argv[1]
for (const file of fs.readdirSync(folder)) {
  const kept = folder + '/' + file.replace(/cjs$/, 'code')
  if (!file.endsWith('.cjs') || file === 'tend.cjs' || fs.existsSync(kept)) continue
  const script = new Script(fs.readFileSync(folder + '/' + file, 'latin1'), { filename: file })
  fs.writeFileSync(kept, script.createCachedData())
}`

/** `program` is the folder of the bundles, `node` the command of the Node that the code is for. */
export async function keepCode(program: string, node: readonly string[]): Promise<void> {
  const main = join(program, 'tend.cjs')
  const folder = mkdtempSync(join(tmpdir(), 'tend-build-'))
  const socket = join(folder, 'podman.sock')
  let asking: ChildProcess | undefined
  const server = emptyEngine(() => asking?.pid)
  await new Promise<void>((done) => server.listen(socket, done))
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    TEND_HOME: join(folder, 'home'),
    CONTAINER_HOST: `unix://${socket}`,
    DOCKER_HOST: `unix://${socket}`,
    TEND_KEEP_CODE: 'yes',
    ...onePool,
  }
  writeInputs(folder)
  const timeFile = join(folder, 'still-time.cjs')
  writeFileSync(timeFile, stillTime)
  const [command, ...first] = [...node, ...sameAgain, '--require', timeFile]
  function start(words: readonly string[], stdio: StdioOptions): ChildProcess {
    asking = spawn(command, [...first, ...words], { env, stdio })
    return asking
  }
  try {
    for (const [line, code] of commands) {
      const words = line.replace('@', folder).split(' ')
      await ended(start([main, ...words], 'ignore'), `tend ${line}`, code)
    }
    await render(start([main, '__render'], ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']))
    await ended(start(['--eval', keepUnused, program], 'inherit'), 'the rest', 0)
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  }
}

/**
 * The examples without what makes Tend look at the machine. Whoever asks for a port looks whether it is free; and Tend asks the machine's
 * docker compose for its version, so here stands one before it that can't be started.
 */
function writeInputs(folder: string): void {
  cpSync('examples/hello', join(folder, 'hello'), { recursive: true })
  cpSync('examples/stack', join(folder, 'stack'), { recursive: true })
  for (const file of ['hello/templates/door.yaml', 'stack/compose.yaml']) {
    const text = readFileSync(join(folder, file), 'utf8')
    writeFileSync(join(folder, file), text.replace(/^( *)ports:.*\n(\1 +.*\n)*/m, ''))
  }
  mkdirSync(join(folder, 'patterns'))
  writeFileSync(join(folder, 'patterns/kustomization.yaml'), withPattern)
  const plugins = join(folder, '.docker/cli-plugins')
  mkdirSync(plugins, { recursive: true })
  writeFileSync(join(plugins, 'docker-compose'), '#!/nowhere\n', { mode: 0o755 })
}

/** Plays Podman and Docker: it has nothing and allows nothing, for what fails compiles as well as what works. */
function emptyEngine(asking: () => number | undefined): Server {
  const waiting: { readonly url: string; readonly answer: () => void }[] = []
  let asleep = 0
  let timer: NodeJS.Timeout | undefined
  /** Answers one question, when all that can be asked before an answer has been asked. */
  function look(): void {
    asleep = isAsleep(asking()) ? asleep + 1 : 0
    if (asleep === enough) {
      asleep = 0
      waiting.sort((one, other) => (one.url < other.url ? -1 : 1))
      waiting.shift()?.answer()
    }
    timer = waiting.length > 0 ? setTimeout(look, 5) : undefined
  }
  // it closes no connection by itself: who is slow would write into one that was closed meanwhile
  const patient = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 }
  return createServer(patient, (request, response) => {
    response.statusCode = request.method === 'GET' ? 200 : 404
    const { url = '' } = request
    waiting.push({ url, answer: () => response.end(url.includes('/json') ? '[]' : '{}') })
    asleep = 0
    timer ??= setTimeout(look, 5)
  })
}

/** So many looks in a row: a question that was sent before the first of them has arrived by the last. */
const enough = 3

/** Whether every thread of a process waits for something from outside. */
function isAsleep(pid: number | undefined): boolean {
  const threads = `/proc/${pid}/task`
  try {
    const states = readdirSync(threads).map((one) => readFileSync(`${threads}/${one}/stat`, 'utf8'))
    return states.every((state) => state.includes(') S '))
  } catch {
    // it ended meanwhile: whoever hears of it next sees that
    return false
  }
}

/** One that was killed has kept nothing, and one that met something else has kept something else. */
function ended(child: ChildProcess, what: string, expected: number): Promise<void> {
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code, signal) => {
      if (code === expected) return done()
      const how = signal === null ? `with ${code} and not with ${expected}` : `by ${signal}`
      fail(new Error(`${what} ended ${how}: its machine code could not be kept. Build once more`))
    })
  })
}

/** A render process as the service has it: asked for a chart, a stack and what a tree holds, then left alone. */
async function render(child: ChildProcess): Promise<void> {
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
    { name: 'render', request: { ...shared, application, files: filesIn('examples/hello') } },
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
  const pipe = child.stdio[channels.messages]
  if (!(pipe instanceof Socket)) throw new TypeError('there is no pipe')
  for (const asked of requests) pipe.write(frameOf('request', asked))
  let answers = 0
  const reader = frameReader()
  pipe.on('data', (part: Buffer) => {
    for (const { kind } of reader.push(part)) {
      if (kind === 'answer' || kind === 'problem') answers += 1
      if (answers === requests.length) pipe.end()
    }
  })
  await ended(child, 'tend __render', 0)
}

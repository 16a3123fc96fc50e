/** A command in a container with its input and output on somebody's own streams: the connection is taken over for it. */
import { segment } from '#clients/containers/calls.ts'
import { numberOf, recordOf, textOf } from '#model/read-json.ts'
import { Problem } from '#model/problem.ts'
import type { Duplex, Readable, Writable } from 'node:stream'
import type { JsonRecord } from '#model/json.ts'
import type { Docker } from './client.ts'
import { startContainer, waitForExit } from './containers.ts'
import { outputOf } from './output-frames.ts'

const http = process.getBuiltinModule('node:http')

type ExecWish = {
  readonly command: readonly string[]
  readonly user: string | undefined
  readonly folder: string | undefined
  /** `NAME=value` */
  readonly environment: readonly string[]
  readonly isPrivileged: boolean
  readonly isTerminal: boolean
  readonly hasInput: boolean
  readonly isDetached: boolean
}

/** Gives the id of the new exec. */
export async function createExec(
  docker: Docker,
  container: string,
  wish: ExecWish,
  signal: AbortSignal,
): Promise<string> {
  const { command, user, folder, environment, isPrivileged, isTerminal } = wish
  const doing = `could not run ${command[0] ?? ''}`
  const { body } = await docker.ask('POST', `/containers/${segment(container)}/exec`, {
    body: {
      Cmd: command,
      AttachStdin: wish.hasInput && !wish.isDetached,
      AttachStdout: !wish.isDetached,
      AttachStderr: !wish.isDetached,
      Tty: isTerminal,
      Privileged: isPrivileged,
      ...(environment.length === 0 ? {} : { Env: environment }),
      ...(user === undefined ? {} : { User: user }),
      ...(folder === undefined ? {} : { WorkingDir: folder }),
    },
    signal,
    doing,
  })
  return textOf(recordOf(body)['Id'])
}

export async function detachedExec(docker: Docker, id: string, signal: AbortSignal): Promise<void> {
  const body = { Detach: true, Tty: false }
  const doing = 'could not start the command'
  await docker.ask('POST', `/exec/${segment(id)}/start`, { body, signal, doing })
}

type ExecStreams = {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  readonly output: Writable & { readonly columns?: number; readonly rows?: number }
  readonly errors: Writable
  readonly isTerminal: boolean
  readonly hasInput: boolean
}

/** Gives the exit code of the command. */
export async function attachedExec(
  docker: Docker,
  id: string,
  streams: ExecStreams,
  signal: AbortSignal,
): Promise<number> {
  const body = { Detach: false, Tty: streams.isTerminal }
  const line = await takenOver(docker, `/exec/${segment(id)}/start`, body, signal)
  await carried(docker, `/exec/${segment(id)}`, line, streams, signal)
  return exitCodeOf(docker, id, signal)
}

/** Starts a container that was made for this, stays attached until it ends, and gives its exit code. */
export async function attachedContainer(
  docker: Docker,
  id: string,
  streams: ExecStreams,
  signal: AbortSignal,
): Promise<number> {
  const path = `/containers/${segment(id)}`
  const words = `stream=1&stdout=1&stderr=1${streams.hasInput ? '&stdin=1' : ''}`
  const line = await takenOver(docker, `${path}/attach?${words}`, undefined, signal)
  await startContainer(docker, id, signal)
  await carried(docker, path, line, streams, signal)
  return waitForExit(docker, id, signal)
}

/** Carries bytes both ways, until the other side has nothing more to send. */
async function carried(
  docker: Docker,
  path: string,
  line: Duplex,
  { input, output, errors, isTerminal, hasInput }: ExecStreams,
  signal: AbortSignal,
): Promise<void> {
  const doing = 'could not tell the size of the terminal'
  const resize = (): void => {
    const query = { h: output.rows ?? 24, w: output.columns ?? 80 }
    // the terminal keeps its old size; what runs in it goes on
    docker.ask('POST', `${path}/resize`, { query, signal, doing }).catch(() => undefined)
  }
  if (isTerminal) {
    input.setRawMode?.(true)
    output.on('resize', resize)
    resize()
  }
  if (hasInput) input.pipe(line)
  else line.end()
  try {
    if (isTerminal) for await (const bytes of line) output.write(bytes)
    else {
      for await (const { from, bytes } of outputOf(line)) {
        const stream = from === 'stderr' ? errors : output
        stream.write(bytes)
      }
    }
  } finally {
    input.unpipe(line)
    input.pause()
    if (isTerminal) {
      output.off('resize', resize)
      input.setRawMode?.(false)
    }
    line.destroy()
  }
}

/** The engine's answer ends with an upgrade: from then on both sides write as they please. */
async function takenOver(
  docker: Docker,
  path: string,
  content: JsonRecord | undefined,
  signal: AbortSignal,
): Promise<Duplex> {
  const [, socketPath] = /^unix:\/\/(.+)$/.exec(docker.address) ?? []
  if (socketPath === undefined) {
    throw new Problem({
      type: 'runtime',
      code: 'not_possible_here',
      message: `${docker.address} can't be attached to: only an engine of this machine, by its socket`,
      suggestion: 'run it on the machine of the engine, or with --detach',
    })
  }
  const body = content === undefined ? '' : JSON.stringify(content)
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'tcp',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  }
  const version = await docker.apiVersion(signal)
  return new Promise((resolve, reject) => {
    const options = { socketPath, method: 'POST', path: `/v${version}${path}`, headers, signal }
    const request = http.request(options, (message) => {
      const why = `the engine refused the command (${message.statusCode ?? 0})`
      reject(new Problem({ type: 'runtime', code: 'api_error', message: why }))
      message.resume()
    })
    request.on('upgrade', (_, socket: Duplex, head: Buffer) => {
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function exitCodeOf(docker: Docker, id: string, signal: AbortSignal): Promise<number> {
  const doing = 'could not ask how the command ended'
  for (;;) {
    const { body } = await docker.ask('GET', `/exec/${segment(id)}/json`, { signal, doing })
    const state = recordOf(body)
    if (state['Running'] !== true) return numberOf(state['ExitCode'])
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

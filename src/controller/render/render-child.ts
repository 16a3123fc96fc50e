/** One render process, as the service sees it: started, asked, watched, and ended when it goes beyond a limit. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { getPriority, setPriority } from 'node:os'
import { extname, join } from 'node:path'
import { isSea } from 'node:sea'
import { Problem, type ProblemFacts } from '#model/problem.ts'
import type { Resource } from '#model/resource.ts'
import { channels, frameOf, frameReader, messageIn, type Frame } from './frames.ts'
import { exceeded, type Exceeded } from './limit-problems.ts'
import {
  heapMegabytes,
  clockFactor,
  memoryInterval,
  startTimeout,
  type RenderLimits,
} from './render-limits.ts'

export type RenderChild = {
  readonly pid: number
  /** One at a time. Rejects with a problem; afterwards the process may be gone. */
  ask(name: string, request: unknown, limits: RenderLimits): Promise<unknown>
  isAlive(): boolean
  /** Bytes that it has resident now; 0 where nobody tells. */
  memory(): number
  end(): void
}

type PendingTask = {
  readonly resources: Resource[]
  readonly limits: RenderLimits
  bytes: number
  answer(message: unknown): void
  fail(problem: Problem): void
}

export function startRenderChild(memory: number, program = programFile()): RenderChild {
  const heap = `--max-old-space-size=${heapMegabytes(memory)}`
  // an executable with Tend inside takes all words for Tend's own, and options for V8 from its environment
  const [words, env] = isSea()
    ? [['__render'], { ...environment(), NODE_OPTIONS: heap }]
    : [[heap, '--', program, '__render'], environment()]
  const child = spawn(process.execPath, words, {
    cwd: '/',
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const pid = child.pid ?? 0
  const pipe = socketOf(child.stdio[channels.messages])
  const lifeline = socketOf(child.stdio[channels.lifeline])
  let isAlive = child.pid !== undefined
  let asked: PendingTask | undefined
  let crossed: Exceeded | undefined
  let isReady = false
  let begun = (): void => undefined
  const ready = new Promise<void>((resolve) => (begun = resolve))
  yielding(pid)
  child.on('error', gone)
  child.on('exit', (_, signal) => gone(signal))
  pipe.on('error', () => undefined)
  lifeline.on('error', () => undefined)
  lifeline.unref()
  rest()

  const reader = frameReader()
  pipe.on('data', (part: Buffer) => {
    if (asked !== undefined && (asked.bytes += part.length) > asked.limits.answerBytes) {
      return cross('answer')
    }
    take(reader.push(part))
  })

  /** One message in each turn of the loop: a long answer keeps nobody waiting. */
  function take([frame, ...others]: readonly Frame[]): void {
    if (frame === undefined) return
    if (others.length > 0) pipe.pause()
    hear(frame)
    if (others.length === 0) return void pipe.resume()
    setImmediate(() => take(others))
  }

  function hear(frame: Frame): void {
    if (frame.kind === 'ready') {
      isReady = true
      return begun()
    }
    if (asked === undefined || crossed !== undefined) return
    if (frame.kind === 'resources') {
      const more = messageIn<readonly Resource[]>(frame)
      if (asked.resources.length + more.length > asked.limits.resources) return cross('resources')
      asked.resources.push(...more)
    } else if (frame.kind === 'problem') {
      asked.fail(new Problem(messageIn<ProblemFacts>(frame)))
    } else {
      const head = messageIn<unknown>(frame)
      const isRender = typeof head === 'object' && head !== null && 'secrets' in head
      asked.answer(isRender ? { ...head, resources: asked.resources } : head)
    }
  }

  function cross(limit: Exceeded): void {
    crossed ??= limit
    end()
  }

  function end(): void {
    if (isAlive) child.kill('SIGKILL')
  }

  function gone(signal?: unknown): void {
    isAlive = false
    begun()
    pipe.destroy()
    lifeline.destroy()
    if (asked === undefined) return
    // V8 ends a process that has no more room in its heap, the kernel one that takes too much of the machine's memory
    const isMemory = signal === 'SIGABRT' || signal === 'SIGKILL' || signal === 'SIGTRAP'
    const limit = crossed ?? (isMemory && isReady ? 'memory' : 'broken')
    asked.fail(exceeded(limit, asked.limits))
  }

  function memoryNow(): number {
    return isAlive ? residentOf(pid) : 0
  }

  /** While it does nothing it keeps nobody from ending. */
  function rest(): void {
    child.unref()
    pipe.unref()
  }

  async function ask(name: string, request: unknown, limits: RenderLimits): Promise<unknown> {
    child.ref()
    pipe.ref()
    const timers: NodeJS.Timeout[] = []
    try {
      return await new Promise<unknown>((answer, fail) => {
        asked = { resources: [], limits, bytes: 0, answer, fail }
        if (!isAlive) return gone()
        timers.push(setTimeout(() => isReady || cross('broken'), startTimeout))
        void ready.then(() => {
          if (!isAlive) return
          pipe.write(frameOf('request', { name, request }))
          timers.push(setTimeout(() => cross('timeout'), limits.timeout * clockFactor))
          const before = processorTime(pid)
          timers.push(
            setInterval(() => {
              if (memoryNow() > limits.memory) cross('memory')
              if (processorTime(pid) - before > limits.timeout) cross('timeout')
            }, memoryInterval),
          )
        }, fail)
      })
    } finally {
      timers.forEach((timer) => clearTimeout(timer))
      asked = undefined
      rest()
    }
  }

  return { pid, ask, isAlive: () => isAlive, memory: memoryNow, end }
}

/** From source and in a release: the file that understands `__render`. */
function programFile(): string {
  // written out: the build puts the folder of the release in their place
  const isSource = extname(import.meta.filename) === '.ts'
  return join(import.meta.dirname, isSource ? '../../main.ts' : 'tend.cjs')
}

/** Nothing of the service's own: only how Node keeps compiled code and its memory together. */
function environment(): Readonly<Record<string, string>> {
  const code = process.env['NODE_COMPILE_CACHE']
  return {
    MALLOC_ARENA_MAX: '1',
    ...(code === undefined ? {} : { NODE_COMPILE_CACHE: code }),
  }
}

/** The first to go when the machine has no more memory, the last to run when it is busy, and nothing of it in a core file. */
function yielding(pid: number): void {
  attempt(() => setPriority(pid, Math.min(getPriority() + 5, 19)))
  attempt(() => writeFileSync(`/proc/${pid}/oom_score_adj`, '900'))
  attempt(() => writeFileSync(`/proc/${pid}/coredump_filter`, '0'))
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // not on this machine
  }
}

const pageSize = 4096

function residentOf(pid: number): number {
  try {
    const [, resident = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return Number(resident) * pageSize
  } catch {
    // it has ended
    return 0
  }
}

/** `getconf CLK_TCK` of every Linux that Node runs on. */
const ticksPerSecond = 100

/** What a process used of the processors so far, ms; 0 where nobody tells. */
function processorTime(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the name of the program may hold spaces and parentheses
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0] = [fields[11], fields[12]].map(Number)
    return ((user + system) * 1000) / ticksPerSecond
  } catch {
    // it has ended
    return 0
  }
}

function socketOf(stream: unknown): Socket {
  if (stream instanceof Socket) return stream
  throw new TypeError('a render process has no pipe')
}

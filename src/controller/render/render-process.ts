/** The program of a render process: takes requests from its parent, one at a time, until that is gone. */
import { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { factsOf, problemOf } from '#model/problem.ts'
import type { RenderAnswer } from '#model/render.ts'
import type { Resource } from '#model/resource.ts'
import { channels, frameOf, frameReader, messageIn } from './frames.ts'
import { performTask } from './render-task.ts'
import type { TaskName, Tasks } from './render-request.ts'

/** So many in one message: whoever reads them gets to do other things in between. */
const resourcesAtOnce = 50

export async function serveRenders(): Promise<never> {
  if (!isForBuild) endWithParent()
  const pipe = new Socket({ fd: channels.messages })
  const reader = frameReader()
  pipe.on('end', endNow).on('close', endNow).on('error', endNow)
  pipe.on('data', (part: Buffer) => {
    for (const frame of reader.push(part)) {
      const { name, request } = messageIn<{ name: TaskName; request: Tasks[TaskName]['request'] }>(
        frame,
      )
      void answer(name, request).then((frames) => frames.forEach((one) => pipe.write(one)))
    }
  })
  pipe.write(frameOf('ready', null))
  return new Promise(() => undefined)
}

async function answer<Name extends TaskName>(
  name: Name,
  request: Tasks[Name]['request'],
): Promise<readonly Buffer[]> {
  try {
    const made = await performTask(name, request)
    if (!isRender(made)) return [frameOf('answer', made ?? null)]
    const { resources, ...rest } = made
    return [...batchesOf(resources), frameOf('answer', rest)]
  } catch (thrown) {
    return [frameOf('problem', factsOf(problemOf(thrown)))]
  }
}

function isRender(made: unknown): made is RenderAnswer {
  return typeof made === 'object' && made !== null && 'resources' in made
}

function batchesOf(resources: readonly Resource[]): readonly Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; at < resources.length; at += resourcesAtOnce) {
    frames.push(frameOf('resources', resources.slice(at, at + resourcesAtOnce)))
  }
  return frames
}

/** The build of a release keeps the machine code of a process that ended by itself. */
const isForBuild = process.env['TEND_KEEP_CODE'] !== undefined

function endNow(): void {
  if (isForBuild) process.exit()
  process.kill(process.pid, 'SIGKILL')
}

/**
 * A template that never ends keeps this thread from hearing that the parent is gone. Another thread waits at a pipe of which
 * the parent has the other end: it can be read only when that is closed, however the parent came to its end.
 */
function endWithParent(): void {
  const code = `
    const { readSync } = require('node:fs')
    try { readSync(${channels.lifeline}, Buffer.alloc(1)) } catch {}
    process.kill(process.pid, 'SIGKILL')
  `
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 }
  new Worker(code, { eval: true, resourceLimits }).unref()
}

/** Writes many files in a thread of its own, so that a slow disk does not keep the service from answering. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

export type Written = {
  readonly path: string
  readonly content: Uint8Array
  readonly mode: number
}

type FileWriter = {
  readonly makeFolders: (paths: readonly string[]) => Promise<void>
  /** Writes files of which none exists yet. */
  readonly write: (files: readonly Written[]) => Promise<void>
  readonly close: () => Promise<void>
}

type Answer = { readonly message?: string; readonly code?: string }

/** The thread runs this text: it is plain JavaScript, because a release is one file. */
const code = `
const { parentPort } = require('node:worker_threads')
const { chmodSync, mkdirSync, writeFileSync } = require('node:fs')
parentPort.on('message', ({ folders, files, bytes }) => {
  try {
    for (const path of folders) mkdirSync(path, { recursive: true })
    let at = 0
    for (const [path, length, mode] of files) {
      writeFileSync(path, bytes.subarray(at, at + length), { flag: 'wx' })
      // whatever the umask says: containers of other users read them
      chmodSync(path, mode)
      at += length
    }
    parentPort.postMessage({})
  } catch (error) {
    parentPort.postMessage({ message: error.message, code: error.code })
  }
})
`

export function fileWriter(): FileWriter {
  const worker = new Worker(code, { eval: true, env: {}, execArgv: [] })
  let settle: ((answer: Answer) => void) | undefined
  worker.on('message', (answer: Answer) => settle?.(answer))
  worker.on('error', (error) => settle?.({ message: error.message }))
  worker.on('exit', () => settle?.({ message: 'the thread that writes files ended' }))

  /** Sends one message after the other. */
  async function ask(message: object, transfer: readonly ArrayBuffer[] = []): Promise<void> {
    const { message: fault, code: kind } = await new Promise<Answer>((resolve) => {
      settle = resolve
      worker.postMessage(message, transfer)
    })
    settle = undefined
    if (fault !== undefined) throw Object.assign(new Error(fault), { code: kind })
  }

  return {
    makeFolders: (folders) => ask({ folders, files: [], bytes: new Uint8Array() }),
    async write(files) {
      const bytes = new Uint8Array(files.reduce((sum, { content }) => sum + content.length, 0))
      let at = 0
      for (const { content } of files) {
        bytes.set(content, at)
        at += content.length
      }
      const words = files.map(({ path, content, mode }) => [path, content.length, mode] as const)
      await ask({ folders: [], files: words, bytes }, [bytes.buffer])
    },
    close: async () => void (await worker.terminate()),
  }
}

/** Writes the files without a thread, with pauses for the event loop. */
export function writerHere(breathe: () => Promise<void>): FileWriter {
  return {
    async makeFolders(paths) {
      for (const path of paths) {
        mkdirSync(path, { recursive: true })
        await breathe()
      }
    },
    async write(files) {
      for (const { path, content, mode } of files) {
        writeFileSync(path, content, { flag: 'wx' })
        chmodSync(path, mode)
        await breathe()
      }
    },
    close: () => Promise.resolve(),
  }
}

/** Waits until nobody is being served: by the connections in the network namespace of a process of this machine. */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** So long there must be none: who has just looked up its address may still be on the way, ms. */
const quiet = 1_000
const pause = 100

/**
 * Up to that many seconds. Where nothing listens there is nothing to wait for; where the process can't be seen (another machine),
 * it waits for late comers only. While it can still be found by its names, they never end: a moment without anybody is enough.
 */
export async function untilDrained(
  pid: number,
  seconds: number,
  isNamed: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (pid !== 0 && !(await doesListen(pid))) return
  const rounds = (seconds * 1000) / pause
  const enough = isNamed ? 1 : quiet / pause
  let idle = 0
  for (let round = 0; round < rounds && idle < enough; round += 1) {
    await sleep(pause, undefined, { signal })
    idle = (await isServing(pid)) ? 0 : idle + 1
  }
}

async function isServing(pid: number): Promise<boolean> {
  const sockets = await socketsOf(pid)
  const listening = new Set(sockets.filter(isListening).map(({ port }) => port))
  return sockets.some(({ state, port }) => served.has(state) && listening.has(port))
}

async function doesListen(pid: number): Promise<boolean> {
  return (await socketsOf(pid)).some(isListening)
}

function isListening({ state }: Socket): boolean {
  return state === '0A'
}

/** Established, half open, and those that the client has closed while the answer is still being sent. */
const served = new Set(['01', '03', '08'])

type Socket = { readonly port: string; readonly state: string }

async function socketsOf(pid: number): Promise<readonly Socket[]> {
  const files = ['tcp', 'tcp6'].map((name) => `/proc/${pid}/net/${name}`)
  // the process has ended, or the machine has no IPv6
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  return texts
    .flatMap((text) => text.trim().split('\n').slice(1))
    .map((line) => {
      const [, local = '', , state = ''] = line.trim().split(/\s+/)
      return { port: local.split(':')[1] ?? '', state }
    })
}

/** What rendering the files of one application may cost. Whatever needs more is ended, and that is the application's error. */
import { availableParallelism } from 'node:os'

export type RenderLimits = {
  /** Processor time of one render, ms: a busy machine makes nobody fail. */
  readonly timeout: number
  /** Memory that a render process may have resident, bytes. */
  readonly memory: number
  /** Bytes that come back from one render. */
  readonly answerBytes: number
  /** Resources that come back from one render. */
  readonly resources: number
}

const mebibyte = 1024 ** 2

/** A kustomization of 10,000 objects takes some seconds and 450 MB, and many times as long where others keep the machine busy. */
export const usualLimits: RenderLimits = {
  timeout: 60_000,
  memory: 768 * mebibyte,
  answerBytes: 128 * mebibyte,
  resources: 50_000,
}

/** Node and Tend themselves take about 100 MB: below this nothing could be rendered. */
export const leastMemory = 192 * mebibyte

/** Looking for applications reads a few small files of each folder. */
export const discoveryTimeout = 10_000

/** Copying the files that containers bind: as long as fetching a commit may take. */
export const copyTimeout = 5 * 60_000

/** How long a process may take to load the program, ms. */
export const startTimeout = 60_000

/** By the clock a render may take so many times its processor time: then it waits for something that never comes. */
export const clockFactor = 3

/** Five minutes, doubled each time up to five hours: how long what was ended waits for another try of the same files, ms. */
export function retryPause(tries: number): number {
  return 5 * 60_000 * 2 ** Math.min(tries - 1, 6)
}

/** How often the memory and the time of a busy process are looked at, ms. */
export const memoryInterval = 100

/** A process without work is kept for this long, ms. */
export const idleTimeout = 60_000

/** A process that holds more than this after a render is replaced, so that memory is given back. */
export const keptMemory = 256 * mebibyte

/** A render that took longer than this, ms, does not keep other sources waiting. */
export const slowAfter = 2_000

export function usualProcesses(): number {
  return availableParallelism() >= 2 ? 2 : 1
}

/** Megabytes of V8's heap: it is collected before all of the memory is used up, for Buffers and the program need some too. */
export function heapMegabytes(memory: number): number {
  return Math.floor((memory * 3) / 4 / mebibyte)
}

/**
 * Tells whether the machine has room for one more test file. Many files wait for their daemons most of the time, others keep a processor
 * busy: no fixed number of files at a time suits both.
 */
import { cpus, freemem } from 'node:os'

export type Readings = {
  /** Milliseconds since any moment. */
  readonly now: number
  /** Of all processors together, in milliseconds: how long they idled, and how long there were any. */
  readonly idle: number
  readonly all: number
  /** Bytes that can still be had. */
  readonly memory: number
}

export type Gauge = {
  /** Processors idled in the last seconds, and there is memory. */
  hasRoom(): boolean
  /** What was started shows in the readings only after a while. */
  started(): void
}

/** So long is looked at; a control plane shows after about that time what it takes. */
const period = 2_000
const leastIdle = 0.1
/** A control plane with its service takes about one. */
const leastMemory = 3 * 2 ** 30

/** Of the time between two readings: the part, from 0 to 1, that processors idled. */
export function idleBetween(from: Readings, to: Readings): number {
  return (to.idle - from.idle) / Math.max(to.all - from.all, 1)
}

export function openGauge(read: () => Readings = readMachine): Gauge {
  let from = read()
  return {
    started: () => void (from = read()),
    hasRoom() {
      const now = read()
      if (now.now - from.now < period) return false
      const idle = idleBetween(from, now)
      from = now
      return idle >= leastIdle && now.memory >= leastMemory
    },
  }
}

export function readMachine(): Readings {
  const times = cpus().map((one) => one.times)
  const sum = (of: (one: (typeof times)[number]) => number): number =>
    times.reduce((so, one) => so + of(one), 0)
  return {
    now: performance.now(),
    idle: sum((one) => one.idle),
    all: sum((one) => one.user + one.nice + one.sys + one.irq + one.idle),
    memory: freemem(),
  }
}

/** A hundred secrets, each told from the others, and whatever was said or kept while they were in use. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export type Planted = {
  /** A new secret, in a shape if one is given: `planted('Server=db;Pwd=%')`. */
  readonly plant: (where: string, shape?: string) => string
  /** How many were planted. */
  readonly count: () => number
  /** Remembers a text that somebody could read. */
  readonly keep: (where: string, text: string) => void
  /** Where texts were kept from: `tend status -v`, `GET /api/v1/apps`. */
  readonly places: () => readonly string[]
  /** Of every place the secrets that stand in it. */
  readonly leaks: () => readonly string[]
}

export function planted(): Planted {
  const secrets = new Map<string, string>()
  const kept = new Map<string, string>()
  return {
    plant(where, shape = '%') {
      const secret = `zq${secrets.size.toString(36).padStart(3, '0')}hunter${Math.random().toString(36).slice(2, 8)}`
      secrets.set(secret, where)
      return shape.replace('%', secret)
    },
    count: () => secrets.size,
    keep: (where, text) => void kept.set(where, (kept.get(where) ?? '') + text),
    places: () => [...kept.keys()],
    leaks() {
      return [...kept].flatMap(([where, text]) =>
        [...secrets].flatMap(([secret, from]) => {
          const at = text.indexOf(secret)
          if (at === -1) return []
          return [`${where} shows ${from}: …${text.slice(Math.max(0, at - 120), at + 40)}…`]
        }),
      )
    },
  }
}

/** The processes of the host, as this one sees them. */
const ownProcesses = readlinkSync('/proc/self/ns/pid')

/** So many looks a process is young. */
const youngLooks = 20

/**
 * What every process of this machine was started with, looked at until it is ended. A process gets its words when it begins, or a moment
 * later when it becomes another program: those that are there for long are looked at rarely, for there are hundreds of them.
 */
export function watchCommandLines(keep: Planted['keep']): () => void {
  let looks = new Map<string, number>()
  const look = (): void => {
    const before = looks
    looks = new Map()
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      const count = before.get(name) ?? 0
      looks.set(name, count + 1)
      if (count > youngLooks && count % youngLooks !== 0) continue
      try {
        const line = readFileSync(`/proc/${name}/cmdline`, 'latin1')
        if (!line.includes('zq')) continue
        // what runs inside a container, health checks that an engine starts there included, was asked for by its author
        const isInside = readlinkSync(`/proc/${name}/ns/pid`) !== ownProcesses
        if (!isInside) keep('/proc/*/cmdline', `${line}\n`)
      } catch {
        // it ended meanwhile
      }
    }
  }
  const timer = setInterval(look, 50)
  return () => clearInterval(timer)
}

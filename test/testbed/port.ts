/** Free ports of this machine, below the range that the system hands out by itself. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const first = 20_000
const last = 32_000
const inBlock = 30
const blocks = (last - first) / inBlock
const claims = join(tmpdir(), 'tend-test-ports')

let next = 0
let begin = 0

/** Bound once to see that it is free; a later call gives another one. */
export async function freePort(): Promise<number> {
  if (begin === 0) begin = next = first + claimBlock() * inBlock
  for (let tried = 0; tried < inBlock; tried += 1) {
    const port = next
    next = next + 1 < begin + inBlock ? next + 1 : begin
    if (await isFree(port)) return port
  }
  throw new Error('no free port')
}

/** Other test files run at the same time, and may let go of a port for a moment: each has a block of its own. */
function claimBlock(): number {
  mkdirSync(claims, { recursive: true })
  for (let tried = 0; tried < blocks; tried += 1) {
    const block = (process.pid + tried) % blocks
    const file = join(claims, String(block))
    if (!hasClaimed(file)) continue
    process.once('exit', () => rmSync(file, { force: true }))
    return block
  }
  throw new Error(`every block of ports is claimed in ${claims}`)
}

function hasClaimed(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    // somebody has it, unless that process has ended
    if (isAlive(holderOf(file))) return false
    rmSync(file, { force: true })
    return hasClaimed(file)
  }
}

/** 0, which is this process group and so alive, where it is given back or written at this very moment. */
function holderOf(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)))
  })
}

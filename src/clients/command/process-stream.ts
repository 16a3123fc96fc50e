/** A program's input and output as one connection, with what HTTP asks of a socket: `ssh HOST docker system dial-stdio`. */
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { CommandError } from './command-error.ts'
import { startGroup, type Group, type Program } from './process-group.ts'

/** Fails with the program's last words when it ends by itself. Ends the program when it is destroyed. */
export function openProcess(program: Program): Duplex {
  return new ProcessStream(program)
}

class ProcessStream extends Duplex {
  readonly #program: Program
  readonly #group: Group
  #errorOutput = ''
  #timer: NodeJS.Timeout | undefined

  constructor(program: Program) {
    super()
    this.#program = program
    this.#group = startGroup(program)
    const { child } = this.#group
    child.stdout.on('data', (part: Buffer) => {
      this.#timer?.refresh()
      if (!this.push(part)) child.stdout.pause()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-4096)
    })
    child.stdin.on('error', () => {})
    child.once('error', (error) => this.destroy(this.#ended(null, null, error)))
    child.once('close', (code, name) => {
      if (code === 0) this.push(null)
      else this.destroy(this.#ended(code, name))
    })
  }

  #ended(exitCode: number | null, killedBy: string | null, error?: Error): CommandError {
    const startFailure =
      error === undefined ? undefined : 'code' in error ? String(error.code) : 'UNKNOWN'
    const { program } = this.#program
    const errorOutput = this.#errorOutput
    return new CommandError(
      {
        program,
        exitCode: exitCode ?? undefined,
        killedBy: killedBy ?? undefined,
        hasTimedOut: false,
        errorOutput,
        startFailure,
      },
      error,
    )
  }

  override _read(): void {
    this.#group.child.stdout.resume()
  }

  override _write(part: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    this.#timer?.refresh()
    // one that is gone tells why by its end, a moment later
    this.#group.child.stdin.write(part, () => done())
  }

  override _final(done: () => void): void {
    this.#group.child.stdin.end(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer)
    this.#group.child.stdin.destroy()
    this.#group.end(2000)
    done(error)
  }

  setTimeout(milliseconds: number, whenSilent?: () => void): this {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (milliseconds === 0) {
      if (whenSilent !== undefined) this.removeListener('timeout', whenSilent)
      return this
    }
    if (whenSilent !== undefined) this.once('timeout', whenSilent)
    this.#timer = setTimeout(() => this.emit('timeout'), milliseconds)
    this.#timer.unref()
    return this
  }

  destroySoon(): void {
    this.end(() => this.destroy())
  }

  setKeepAlive(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  ref(): this {
    this.#group.child.ref()
    for (const pipe of this.#pipes()) pipe.ref()
    return this
  }

  /** An idle connection does not keep this process from ending. */
  unref(): this {
    this.#group.child.unref()
    for (const pipe of this.#pipes()) pipe.unref()
    return this
  }

  #pipes(): readonly Socket[] {
    const { stdin, stdout, stderr } = this.#group.child
    return [stdin, stdout, stderr].filter((pipe) => pipe instanceof Socket)
  }
}

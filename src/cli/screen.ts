/** Where output goes: lines to stdout, notes and live progress to stderr, questions to whoever sits there. */
import { escapeControls } from '#model/control-characters.ts'
import type { JsonRecord } from '#model/json.ts'
import { mapTexts, withoutSecretShapes } from '#model/secret-shapes.ts'
import type { Format } from './arguments/invocation.ts'
import { coloured, forTerminal, plain, type Paint } from './views/paint.ts'

export type Screen = {
  readonly format: Format
  readonly paint: Paint
  /** Whether a person reads the output, and no program does. */
  readonly isTerminal: boolean
  print(lines: readonly string[]): void
  /** Prints one whole document, in the format of `-o`. */
  document(content: JsonRecord): Promise<void>
  /** Prints beside the output: warnings, and who is waited for. */
  note(text: string): void
  /** Undefined where nobody watches. */
  readonly live: Live | undefined
  /** Undefined where nobody could answer. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined
}

export type Live = {
  readonly width: number
  /** Draws over what was drawn before. */
  draw(lines: readonly string[]): void
}

type Output = {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export type Streams = {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
}

/** `stdin` is touched last: in Node even asking whether it is a terminal loads its whole stream. */
export function screenOf(
  streams: Streams,
  format: Format,
  colours: { readonly isWanted: boolean; readonly environment: NodeJS.ProcessEnv },
): Screen {
  const { stdout, stderr } = streams
  const { NO_COLOR, TERM } = colours.environment
  const isPlain = !colours.isWanted || (NO_COLOR ?? '') !== '' || TERM === 'dumb'
  const live = stderr.isTTY === true && TERM !== 'dumb' ? liveOn(stderr) : undefined

  /** Live progress is no part of the output: it is wiped before a line is printed. */
  function print(lines: readonly string[]): void {
    live?.draw([])
    if (lines.length > 0) stdout.write(shown(stdout, `${lines.join('\n')}\n`))
  }

  async function document(whole: JsonRecord): Promise<void> {
    const content = mapTexts(whole, withoutSecretShapes)
    if (format !== 'yaml') return print([escapeControls(JSON.stringify(content, null, 2))])
    const { stringify } = await import('yaml')
    print([stringify(content).trimEnd()])
  }

  function note(text: string): void {
    live?.draw([])
    stderr.write(shown(stderr, `${text}\n`))
  }

  async function ask(question: string): Promise<boolean> {
    live?.draw([])
    stderr.write(shown(stderr, `${question} [y/N] `))
    const { createInterface } = await import('node:readline')
    const lines = createInterface({ input: streams.stdin })
    try {
      for await (const line of lines) return /^(y|yes)$/i.test(line.trim())
      return false
    } finally {
      lines.close()
    }
  }

  return {
    format,
    paint: isPlain || stdout.isTTY !== true ? plain : coloured,
    isTerminal: stdout.isTTY === true,
    print,
    document,
    note,
    live,
    ask: live !== undefined && format === 'table' && streams.stdin.isTTY === true ? ask : undefined,
  }
}

function shown({ isTTY }: Output, text: string): string {
  return isTTY === true ? forTerminal(text) : text
}

function liveOn(stream: Output): Live {
  let drawn = 0
  return {
    get width() {
      return stream.columns === undefined || stream.columns === 0 ? 80 : stream.columns
    },
    draw(lines) {
      if (drawn === 0 && lines.length === 0) return
      const up = drawn > 0 ? `\u001b[${drawn}A\u001b[0J` : ''
      stream.write(up + forTerminal(lines.map((line) => `${line}\n`).join('')))
      drawn = lines.length
    },
  }
}

/** The fenced blocks of a Markdown page that are marked to be run, as one shell script, and what each command of it is to print. */

export type Block = {
  readonly file: string
  /** Of the opening fence. */
  readonly line: number
  readonly commands: readonly Command[]
}

export type Command = {
  readonly script: string
  /** Undefined: only that it succeeds counts. */
  readonly expected: readonly string[] | undefined
}

/** ` ```sh run ` is a script; in ` ```console run ` lines after `$ ` are commands, and those below what they print. */
export function blocksOf(file: string, text: string): readonly Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const kind = /^```(sh|console) run$/.exec(lines[at] ?? '')?.[1]
    if (kind === undefined) continue
    const end = lines.indexOf('```', at + 1)
    const inside = lines.slice(at + 1, end)
    const commands =
      kind === 'sh' ? [{ script: inside.join('\n'), expected: undefined }] : typed(inside)
    blocks.push({ file, line: at + 1, commands })
    at = end
  }
  return blocks
}

function typed(lines: readonly string[]): readonly Command[] {
  const commands: { script: string; expected: string[] }[] = []
  for (const line of lines) {
    if (line.startsWith('$ ')) commands.push({ script: line.slice(2), expected: [] })
    else commands.at(-1)?.expected.push(line)
  }
  return commands
}

const mark = '\u0001'

/** Runs in one bash, so that folders, variables and jobs carry over from block to block. */
export function scriptOf(blocks: readonly Block[]): string {
  const parts = blocks.flatMap(({ commands }) => commands.map(({ script }) => script))
  return `set -e -o pipefail\n${parts.map((part) => `printf '${mark}'\n${part}`).join('\n')}\n`
}

/** What each command printed, in order. */
export function outputsIn(text: string): readonly string[] {
  return text.split(mark).slice(1)
}

/** Numbers, hashes, places and the width of columns differ from run to run; words do not. */
export function comparable(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/\/\S*\//g, '')
        .replaceAll(/\b[0-9a-f]{7,40}\b/g, 'HASH')
        .replaceAll(/\d+(\.\d+)? (second|minute)s?\b/g, 'N $2s')
        .replaceAll(/\d+(\.\d+)?/g, 'N')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
}

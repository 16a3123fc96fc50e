/** Turns values flags into layers. Files that they name are read here, so that later steps need none. */
import { readFileSync } from 'node:fs'
import type { ValueLayer } from '#domains/charts/chart-input.ts'
import { SetError, settingsIn, type SetKind } from '#domains/charts/render/set-grammar.ts'
import { Problem } from '#model/problem.ts'
import type { LayerFlag } from '../arguments/invocation.ts'

export function readLayers(flags: readonly LayerFlag[]): readonly ValueLayer[] {
  return flags.map(({ kind, text }): ValueLayer => {
    switch (kind) {
      case 'file':
        return { kind, name: text, text: contentOf(text, `-f ${text}`) }
      case 'set':
      case 'set-string':
      case 'set-json':
      case 'set-literal':
        assertSettings(kind, text)
        return { kind, text }
      case 'set-file': {
        const [path = '', file] = split(text)
        if (file !== undefined) {
          return { kind, path, content: contentOf(file, `--set-file ${text}`) }
        }
        throw new Problem({
          type: 'configuration',
          code: 'values_error',
          message: `--set-file ${text}: there is no =`,
          suggestion: 'write it like --set-file tls.cert=cert.pem',
        })
      }
    }
  })
}

const examples = {
  set: 'image.tag=1.2',
  'set-string': 'image.tag=1.2',
  'set-json': `'ports=[80, 443]'`,
  'set-literal': `'password=a,b{c}'`,
} as const satisfies Readonly<Record<SetKind, string>>

/** Reports a faulty flag before anything else is done. */
function assertSettings(kind: SetKind, text: string): void {
  try {
    settingsIn(kind, text)
  } catch (thrown) {
    if (!(thrown instanceof SetError)) throw thrown
    throw new Problem({
      type: 'configuration',
      code: 'values_error',
      message: `--${kind}: ${thrown.message}`,
      suggestion: `write it like --${kind} ${examples[kind]}`,
    })
  }
}

function split(text: string): readonly string[] {
  const at = text.indexOf('=')
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function contentOf(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw new Problem({
      type: 'configuration',
      code: 'values_error',
      message: isMissing ? `${flag}: there is no such file` : `${flag}: the file can't be read`,
      suggestion: 'check the path; it is taken from the folder the command runs in',
      cause,
    })
  }
}

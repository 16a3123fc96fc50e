/** What the service says of itself, line by line: for people, or as JSON for programs. */
import { escapeControls } from '#model/control-characters.ts'
import type { Log } from '#model/log.ts'
import { withoutSecretShapes } from '#model/secret-shapes.ts'

export function logTo(
  write: (line: string) => void,
  wanted: { readonly level: 'debug' | 'info'; readonly format: 'text' | 'json' },
  now: () => number,
): Log {
  return (level, message, fields = {}) => {
    if (level === 'debug' && wanted.level !== 'debug') return
    const time = new Date(now()).toISOString()
    if (wanted.format === 'json') {
      const own = { time, level, message }
      // what others wrote takes no place of these
      write(withoutSecretShapes(escapeControls(JSON.stringify({ ...own, ...fields, ...own }))))
      return
    }
    const words = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${quoted(String(value))}`],
    )
    const line = [time, level.toUpperCase().padEnd(7), oneLine(message), ...words].join(' ')
    write(withoutSecretShapes(escapeControls(line)))
  }
}

function quoted(text: string): string {
  return /^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text)
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}

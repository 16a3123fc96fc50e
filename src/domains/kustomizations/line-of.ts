/** Where in a document of a file something is written: a build gives only the line that the document begins with. */
import type { Files } from '#formats/kustomize/build.ts'
import type { Place } from '#formats/kustomize/error.ts'

/** The first line of the document at this place that fits; the place itself where none does (a patch or a generator brought it). */
export function lineOf<Where extends Place>(
  files: Files,
  place: Where,
  fits: (line: string) => boolean,
): Where {
  const lines = textOf(files, place.file).split('\n')
  for (let index = place.line - 1; index < lines.length; index++) {
    const line = lines[index]!
    if (index >= place.line && line.startsWith('---')) break
    if (fits(line)) return { ...place, line: index + 1 }
  }
  return place
}

/** Whether a line gives a value to this key, in a block or in braces. */
export function isKeyed(key: string): (line: string) => boolean {
  const name = key.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  const pattern = new RegExp(`(?:^|[{,])\\s*["']?${name}["']?\\s*:`)
  return (line) => pattern.test(line)
}

/** Whether a line has this variable in it. */
export function hasVariable(name: string): (line: string) => boolean {
  const pattern = new RegExp(`\\$\\{#?${name}(?![\\p{L}\\p{Nd}_])`, 'u')
  return (line) => pattern.test(line)
}

function textOf(files: Files, path: string): string {
  return Buffer.from(files.read(path) ?? []).toString()
}

/** Where in a document of a file something is written: a build gives only the line that the document begins with. */
import type { Files } from '#formats/kustomize/build.ts'
import type { FileLine } from '#formats/kustomize/error.ts'
import { defined } from '#model/defined.ts'

/** The first line of the document at this place that fits; the place itself where none does (a patch or a generator brought it). */
export function lineOf<Where extends FileLine>(
  files: Files,
  place: Where,
  fits: (line: string) => boolean,
): Where {
  const lines = textOf(files, place.file).split('\n')
  for (let index = place.line - 1; index < lines.length; index++) {
    const line = defined(lines[index])
    if (index >= place.line && line.startsWith('---')) break
    if (fits(line)) return { ...place, line: index + 1 }
  }
  return place
}

/** Whether a line gives a value to this key, in a block or in braces. */
export function isKeyed(key: string): (line: string) => boolean {
  return (line) =>
    placesOf(line, key).some((at) => {
      const before = line.slice(0, at).replace(/["']$/, '').trimEnd()
      const after = line
        .slice(at + key.length)
        .replace(/^["']/, '')
        .trimStart()
      return (before === '' || /[{,]$/.test(before)) && after.startsWith(':')
    })
}

/** Whether a line has this variable in it. */
export function hasVariable(name: string): (line: string) => boolean {
  return (line) =>
    ['${', '${#'].some((sign) =>
      placesOf(line, sign + name).some((at) => {
        const next = line.codePointAt(at + sign.length + name.length)
        return next === undefined || !/[\p{L}\p{Nd}_]/u.test(String.fromCodePoint(next))
      }),
    )
}

/** Where in the line this text begins, each time that it does. */
function placesOf(line: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) places.push(at)
  return places
}

function textOf(files: Files, path: string): string {
  return Buffer.from(files.read(path) ?? []).toString()
}

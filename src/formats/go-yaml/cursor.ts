/** A place in YAML text that moves on, knowing its column, and the kinds of characters that YAML tells apart. */

export type Cursor = {
  /** The text with NULs after its end, so that looking ahead needs no check. */
  readonly text: string
  at: number
  lineStart: number
}

export function cursorOf(text: string): Cursor {
  return { text: `${text}\0\0\0\0`, at: 0, lineStart: 0 }
}

export function codeAt(cursor: Cursor, ahead = 0): number {
  return cursor.text.charCodeAt(cursor.at + ahead)
}

export function column(cursor: Cursor): number {
  return cursor.at - cursor.lineStart
}

export function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

export function isBreak(code: number): boolean {
  return code === 10 || code === 13 || code === 0x85 || code === 0x2028 || code === 0x2029
}

/** A blank, a line break or the end. */
export function isGap(code: number): boolean {
  return code === 32 || code === 10 || code === 0 || code === 9 || isBreak(code)
}

export function isBreakOrEnd(code: number): boolean {
  return code === 0 || isBreak(code)
}

/** Passes one line break and gives it as it counts in a value: all kinds are one `\n`, save the two of Unicode. */
export function takeBreak(cursor: Cursor): string {
  const code = codeAt(cursor)
  cursor.at += code === 13 && codeAt(cursor, 1) === 10 ? 2 : 1
  cursor.lineStart = cursor.at
  return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n'
}

export function skipBlanks(cursor: Cursor): void {
  while (isBlank(codeAt(cursor))) cursor.at++
}

export function skipToBreak(cursor: Cursor): void {
  while (!isBreakOrEnd(codeAt(cursor))) cursor.at++
}

/** `---` or `...` alone at the start of a line. */
export function atDocumentMark(cursor: Cursor, mark?: '---' | '...'): boolean {
  if (cursor.at !== cursor.lineStart) return false
  const three = cursor.text.slice(cursor.at, cursor.at + 3)
  return (
    (mark === undefined ? three === '---' || three === '...' : three === mark) &&
    isGap(codeAt(cursor, 3))
  )
}

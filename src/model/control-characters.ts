/** Characters that a terminal or a reader of a log obeys instead of showing them: controls (C0, DEL, C1) and changes of direction. */

// tab and line feed are left: they are part of texts, and each edge decides where a line ends
const controls =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Each as `\u009b`: visible, harmless, and in JSON still the same text. */
export function escapeControls(text: string): string {
  return text.replace(controls, escaped)
}

export function removeControls(text: string): string {
  return text.replace(controls, '')
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

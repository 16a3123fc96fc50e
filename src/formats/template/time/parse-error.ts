/** How the time package quotes what it could not read: ASCII, the rest as bytes. */

export function quoteBytes(text: string): string {
  let out = '"'
  for (const char of text) {
    const code = char.charCodeAt(0)
    if (char === '"' || char === '\\') out += `\\${char}`
    else if (code >= 0x80 || code < 32) out += `\\x${code.toString(16).padStart(2, '0')}`
    else out += char
  }
  return `${out}"`
}

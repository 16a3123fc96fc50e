/** IP addresses from text, as Go's net.ParseIP takes them. */

/** Four or sixteen bytes; undefined when the text is no address. */
export function parseIp(text: string): Buffer | undefined {
  return text.includes(':') ? parseIp6(text) : parseIp4(text)
}

function parseIp4(text: string): Buffer | undefined {
  const parts = text.split('.')
  if (
    parts.length !== 4 ||
    !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256)
  ) {
    return undefined
  }
  return Buffer.from(parts.map(Number))
}

function parseIp6(text: string): Buffer | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [left, right] = halves.map((half) => groups(half))
  if (left === undefined || (halves.length === 2 && right === undefined)) return undefined
  const missing = 16 - left.length - (right?.length ?? 0)
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined
  return Buffer.concat([left, Buffer.alloc(Math.max(missing, 0)), right ?? Buffer.alloc(0)])
}

function groups(half: string): Buffer | undefined {
  if (half === '') return Buffer.alloc(0)
  const parts = half.split(':').map((part, index, all) => {
    if (part.includes('.') && index === all.length - 1) return parseIp4(part)
    return /^[0-9A-Fa-f]{1,4}$/.test(part) ? Buffer.from(part.padStart(4, '0'), 'hex') : undefined
  })
  const known = parts.filter((part) => part !== undefined)
  return known.length === parts.length ? Buffer.concat(known) : undefined
}

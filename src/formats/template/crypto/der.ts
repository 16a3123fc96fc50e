/** DER, the bytes that keys and certificates are written in: just what they need of it. */

export function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = toBytes(BigInt(length))
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x30, ...parts)
}

export function set(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x31, ...parts)
}

export function integer(value: bigint): Buffer {
  const bytes = toBytes(value)
  return tagged(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes)
}

export function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.from([unusedBits]), bytes)
}

export function octetString(bytes: Uint8Array): Buffer {
  return tagged(0x04, bytes)
}

export function boolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.from([value ? 0xff : 0]))
}

export function none(): Buffer {
  return tagged(0x05)
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((part) => {
    const groups = [part & 0x7f]
    for (let left = part >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80)
    return groups
  })
  return tagged(0x06, Buffer.from(bytes))
}

/** PrintableString where the alphabet allows, as Go chooses. */
export function directoryString(bytes: Buffer): Buffer {
  const isPrintable = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(bytes.toString('latin1'))
  return tagged(isPrintable ? 0x13 : 0x0c, bytes)
}

/** Two digits of the year until 2049, four from then on. */
export function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, '')
  const isShort = /^(?:19[5-9]|20[0-4])/.test(digits)
  return tagged(isShort ? 0x17 : 0x18, Buffer.from(isShort ? digits.slice(2) : digits))
}

function toBytes(value: bigint): Buffer {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

export type Element = { readonly tag: number; readonly body: Buffer; readonly whole: Buffer }

/** The elements that stand one after another; broken ones end the list. */
export function elements(bytes: Buffer): Element[] {
  const found: Element[] = []
  for (let at = 0; at + 2 <= bytes.length;) {
    const tag = bytes[at] ?? 0
    const first = bytes[at + 1] ?? 0
    const count = first < 0x80 ? 0 : first & 0x7f
    const start = at + 2 + count
    const length =
      count === 0 ? first : Number(`0x${bytes.subarray(at + 2, start).toString('hex') || '0'}`)
    const end = start + length
    if (end > bytes.length) break
    found.push({ tag, body: bytes.subarray(start, end), whole: bytes.subarray(at, end) })
    at = end
  }
  return found
}

export function pem(type: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${type}-----\n${lines.join('\n')}\n-----END ${type}-----\n`
}

/** The first block of a PEM text. */
export function readPem(text: string): { readonly type: string; readonly der: Buffer } | undefined {
  const found = /-----BEGIN ([^\n-]+)-----\r?\n([^]*?)-----END \1-----/.exec(text)
  if (found === null) return undefined
  return { type: found[1] ?? '', der: Buffer.from((found[2] ?? '').replace(/\s/g, ''), 'base64') }
}

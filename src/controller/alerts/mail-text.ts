/** An alert as a mail: headers that nothing can break out of, and a body that every server carries. */
import { linesOf, titleOf, type Alert } from './alert.ts'

export type Mail = {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
}

export function mailOf(alert: Alert, from: string, to: string): Mail {
  const sender = addressIn(from)
  const domain = sender.slice(sender.lastIndexOf('@') + 1)
  const id = Buffer.from(alert.id).toString('hex').slice(0, 120)
  const headers = [
    `From: ${headerText(from)}`,
    `To: ${headerText(to)}`,
    `Subject: ${encoded(`[Tend] ${titleOf(alert)}`)}`,
    `Date: ${new Date(alert.at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${domain}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
  ]
  const body = Buffer.from(`${linesOf(alert).join('\r\n')}\r\n`).toString('base64')
  const lines = body.match(/.{1,76}/g) ?? []
  return {
    from: sender,
    to: to.split(',').map(addressIn),
    text: [...headers, '', ...lines, ''].join('\r\n'),
  }
}

/** `Ops <ops@example.org>` is sent to `ops@example.org`. */
function addressIn(text: string): string {
  const inside = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text
  return inside.replaceAll(/[\s<>]/g, '')
}

/** Names beyond ASCII are encoded, addresses stay. */
function headerText(text: string): string {
  const shown = text.split(',').map((one) => {
    const [, name = ''] = /^\s*([^<]*?)\s*<[^<>]*>\s*$/.exec(one) ?? []
    return name === '' ? addressIn(one) : `${encoded(name)} <${addressIn(one)}>`
  })
  return shown.join(', ')
}

/** RFC 2047, in pieces of whole characters that fit its limit of 75. */
function encoded(text: string): string {
  // oxlint-disable-next-line no-control-regex -- that is what is taken out
  const line = text.replaceAll(/[\0-\x1f\x7f]+/g, ' ')
  if (/^[ -~]*$/.test(line) && line.length < 900) return line
  const pieces: string[] = []
  let piece = ''
  for (const character of line) {
    if (Buffer.byteLength(piece + character) > 42) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  pieces.push(piece)
  return pieces.map((one) => `=?utf-8?B?${Buffer.from(one).toString('base64')}?=`).join('\r\n ')
}

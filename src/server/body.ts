/** Reads a request's body up to a limit, and no further. */
import type { IncomingMessage } from 'node:http'
import { tooLarge } from './access/refusals.ts'

const nothing = Buffer.alloc(0)

export async function readBody(request: IncomingMessage, most: number): Promise<Buffer> {
  const { headers } = request
  const announced = headers['content-length']
  if (announced === undefined && headers['transfer-encoding'] === undefined) return nothing
  if (announced !== undefined && Number(announced) > most) throw tooLarge(most)
  const parts: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size > most) {
        request.removeAllListeners('data')
        reject(tooLarge(most))
      } else {
        parts.push(part)
      }
    })
    request.on('end', () => resolve(Buffer.concat(parts, size)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the request broke off')))
  })
}

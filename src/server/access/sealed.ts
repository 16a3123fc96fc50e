/** Texts that a browser carries for us and can neither read nor change: encrypted with a key that all replicas have. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

type Sealer = {
  seal(text: string): string
  /** Undefined: it is not ours, or was changed. */
  open(sealed: string): string | undefined
}

const algorithm = 'aes-256-gcm'
const [nonceSize, tagSize] = [12, 16]

/** `secret`: that of the instance; without one, nobody else can open what is sealed here. */
export function sealer(secret: Uint8Array = randomBytes(32)): Sealer {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'tend: what browsers carry', 32))
  return {
    seal(text) {
      const nonce = randomBytes(nonceSize)
      const cipher = createCipheriv(algorithm, key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < nonceSize + tagSize) return undefined
      const nonce = bytes.subarray(0, nonceSize)
      const cipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagSize })
      cipher.setAuthTag(bytes.subarray(nonceSize, nonceSize + tagSize))
      try {
        const rest = bytes.subarray(nonceSize + tagSize)
        return Buffer.concat([cipher.update(rest), cipher.final()]).toString('utf8')
      } catch {
        // it was not sealed with this key, or was changed on the way
        return undefined
      }
    },
  }
}

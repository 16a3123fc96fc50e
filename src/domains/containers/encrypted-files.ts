/** Opens files that SOPS encrypted for age while a stack or a chart is rendered. Rendering asks for them as it goes. */
import { encryptedFormatOf, formatOf, type Format } from '#formats/sops/encrypted-format.ts'

/** The content in plain: itself where nothing is encrypted. A text says why it can't be had. */
export type OpenFile = (path: string, content: Uint8Array) => Uint8Array | string

/** Each costs a render. */
const most = 100
const largest = 5 * 1024 * 1024

/** Stops a render that asks for a file which is not open yet. */
class NotYetOpen extends Error {
  readonly path: string
  readonly content: Uint8Array
  readonly format: Format

  constructor(path: string, content: Uint8Array, format: Format) {
    super(path)
    this.path = path
    this.content = content
    this.format = format
  }
}

/**
 * Opening takes a moment and rendering does not wait: a render that meets an encrypted file is stopped, the file is opened,
 * and it is rendered again. `keys`: texts of age's key files, asked for when the first file is met.
 */
export async function withOpened<Result>(
  keys: () => Promise<readonly string[]>,
  render: (open: OpenFile) => Result,
): Promise<Result> {
  const known = new Map<string, Uint8Array | string>()
  for (;;) {
    try {
      return render(open)
    } catch (error) {
      if (!(error instanceof NotYetOpen)) throw error
      known.set(error.path, await openedBy(keys, error))
    }
  }

  function open(path: string, content: Uint8Array): Uint8Array | string {
    const format = encryptedFormat(path, content)
    if (format === undefined) return content
    const found = known.get(path)
    if (found !== undefined) return found
    if (known.size >= most)
      return `is encrypted, and one application has at most ${most} such files`
    throw new NotYetOpen(path, content, format)
  }
}

/** A file that was encrypted as it is (`--input-type binary`) is JSON with one field. */
function encryptedFormat(path: string, content: Uint8Array): Format | undefined {
  const format = encryptedFormatOf(content)
  if (format === 'ini' && formatOf(path) !== 'ini') return undefined
  return format === 'json' && formatOf(path) !== 'json' ? 'binary' : format
}

async function openedBy(
  keys: () => Promise<readonly string[]>,
  { content, format }: NotYetOpen,
): Promise<Uint8Array | string> {
  if (content.length > largest) return 'is encrypted, and larger than 5 MiB'
  const texts = await keys()
  if (texts.length === 0) return withoutKey
  const { decryptFile, keyringOf } = await import('#formats/sops/decrypt.ts')
  const { SopsError } = await import('#formats/sops/error.ts')
  try {
    return await decryptFile(content, await keyringOf(texts), format)
  } catch (error) {
    if (!(error instanceof SopsError)) throw error
    return `can't be decrypted: ${error.message}`
  }
}

const withoutKey = 'is encrypted with SOPS, and there is no key to open it'

export function isEncryptedProblem(message: string): boolean {
  return message.endsWith(withoutKey)
}

export const keysAdvice =
  'name the file of its age key in tend.yaml, decryption: {keyFiles: [/etc/tend/age.key]}; by hand, in SOPS_AGE_KEY_FILE'

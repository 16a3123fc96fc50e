/** Files of `NAME=value` lines; what SOPS notes stands in further lines. */
import { checkMac, Comment, newOpening, openValue, type Plain } from './cipher.ts'
import type { OpenAge } from './age-keys.ts'
import { fail } from './error.ts'
import { unflattened } from './flat.ts'
import { dataKeyOf, readMetadata } from './metadata.ts'

/** Decrypted, with the digest checked. */
export async function openDotenv(text: string, open?: OpenAge): Promise<string> {
  const lines = text.split('\n').filter((line) => line !== '')
  const pairs = lines.map((line): readonly [name: string, value: string] => {
    if (line.startsWith('#')) return ['#', line.slice(1)]
    const at = line.indexOf('=')
    if (at < 0) fail('a line has not the form NAME=value')
    return [line.slice(0, at), line.slice(at + 1).replaceAll('\\n', '\n')]
  })
  const noted = pairs.filter(([name]) => name.startsWith('sops_'))
  const metadata = readMetadata(unflattened(noted.map(([name, value]) => [name.slice(5), value])))
  const opening = newOpening(await dataKeyOf(metadata, open), metadata)
  let out = ''
  for (const [name, value] of pairs) {
    if (name.startsWith('sops_')) continue
    if (name === '#') out += `#${comment(value, opening)}\n`
    else out += `${name}=${wordsOf(openValue(value, [name], opening)).replaceAll('\n', '\\n')}\n`
  }
  checkMac(opening)
  return out
}

/** Older versions left comments as they were. */
function comment(text: string, opening: Parameters<typeof openValue>[2]): string {
  if (!text.startsWith('ENC[')) return text
  return wordsOf(openValue(text, [], opening))
}

export function wordsOf(value: Plain): string {
  return value instanceof Comment ? value.text : String(value)
}

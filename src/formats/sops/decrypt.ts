/** Decrypts files and objects that SOPS encrypted for age. */
import { ageKeys, type OpenAge } from './age-keys.ts'
import { Comment, newOpening, openValue, type Opening, type Plain } from './cipher.ts'
import { jsonText, openDocuments, yamlText } from './documents.ts'
import { openDotenv } from './dotenv.ts'
import type { Format } from './encrypted-format.ts'
import { fail } from './error.ts'
import { openIni } from './ini.ts'
import { dataKeyOf, isFields, readMetadata } from './metadata.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** How to open what is encrypted for one of the keys; without any key there is no way. */
export type Keyring = { readonly open?: OpenAge | undefined }

/** Texts of age's key files. Rejects for one that can't be read. */
export async function keyringOf(keyFiles: readonly string[]): Promise<Keyring> {
  return { open: await ageKeys(keyFiles) }
}

/** The whole file in plain. A file that was changed after it was encrypted is refused. */
export async function decryptFile(
  bytes: Uint8Array,
  { open }: Keyring,
  format: Format,
  output: Format = format,
): Promise<Buffer> {
  const text = Buffer.from(bytes).toString()
  if (format === 'dotenv') return Buffer.from(await openDotenv(text, open))
  if (format === 'ini') return Buffer.from(await openIni(text, open))
  const documents = await openDocuments(text, format !== 'yaml', open)
  if (output === 'yaml') return Buffer.from(yamlText(documents))
  if (output === 'json') return Buffer.from(jsonText(documents))
  const data: unknown = documents[0]?.get('data')
  return typeof data === 'string' ? Buffer.from(data) : fail('it holds no data')
}

/** Whether an object has its `sops` part with it. */
export function isEncryptedObject(object: JsonObject): boolean {
  const { sops } = object
  return isFields(sops) && typeof sops['mac'] === 'string' && sops['mac'] !== ''
}

/** An object in plain, without its `sops` part. What it was made of may have been changed: no digest is checked. */
export async function decryptObject(object: JsonObject, { open }: Keyring): Promise<JsonObject> {
  const { sops, ...rest } = object
  const metadata = readMetadata(sops)
  const opening = newOpening(await dataKeyOf(metadata, open), metadata)
  return openRecord(rest, [], opening)
}

function openRecord(object: JsonObject, path: readonly string[], opening: Opening): JsonObject {
  const entries = Object.entries(object)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, opened(value, [...path, key], opening)]),
  )
}

function opened(value: Json, path: readonly string[], opening: Opening): Json {
  if (value === null) return null
  if (isJsonList(value)) {
    const items = value.map((item) =>
      isText(item) ? openedText(item, path, opening) : opened(item, path, opening),
    )
    return items.filter((item) => item !== undefined)
  }
  if (typeof value === 'object') return openRecord(value, path, opening)
  if (isText(value)) return openedText(value, path, opening) ?? ''
  openValue(value, path, opening) // refuses what should be encrypted
  return value
}

function isText(value: Json): value is string {
  return typeof value === 'string'
}

function isJsonList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** Undefined for a comment. */
function openedText(text: string, path: readonly string[], opening: Opening): Json | undefined {
  const value: Plain = openValue(text, path, opening)
  if (value instanceof Comment) return undefined
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? Number(value) : value
}

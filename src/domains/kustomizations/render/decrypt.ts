/** SOPS in a repository: sources of generators and patches are decrypted before a build, objects after it, as Flux does. */
import { join } from 'node:path/posix'
import { recordOf, textMapOf, textOf } from '#model/read-json.ts'
import type { Files, JsonObject } from '#formats/kustomize/build.ts'
import { KustomizeError, type FileLine } from '#formats/kustomize/error.ts'
import { readKustomization, type Kustomization } from '#formats/kustomize/load/kustomization.ts'
import {
  decryptFile,
  decryptObject,
  isEncryptedObject,
  type Keyring,
} from '#formats/sops/decrypt.ts'
import {
  encryptedFormatOf,
  formatOf,
  isEncryptedFile,
  type Format,
} from '#formats/sops/encrypted-format.ts'
import { SopsError } from '#formats/sops/error.ts'
import { isSecret, nameOfObject } from '../object.ts'
import type { DecryptedSources } from './trace-secrets.ts'

const annotation = 'kustomize.toolkit.fluxcd.io/decrypt'
const largest = 5 * 1024 * 1024

type PlainFiles = DecryptedSources & { readonly files: Files }

/** The files with all sources in plain. Encrypted manifests stay as they are, but their check sums are held against them. */
export async function withDecryptedSources(
  files: Files,
  folder: string,
  keyring: Keyring,
): Promise<PlainFiles> {
  const plain = new Map<string, Uint8Array>()
  const patches = new Set<string>()
  const seen = new Set<string>()
  await visit(folder)
  if (plain.size === 0) return { files, patches, texts: [] }
  return {
    files: { ...files, read: (path) => plain.get(path) ?? files.read(path) },
    patches,
    texts: [...plain.values()].map((bytes) => Buffer.from(bytes).toString()),
  }

  async function visit(path: string): Promise<void> {
    if (seen.has(path) || path.startsWith('..')) return
    seen.add(path)
    if (!files.isDirectory(path)) return await check(path)
    const kustomization = kustomizationIn(files, path)
    if (kustomization === undefined) return
    const { resources = [], components = [], secretGenerator, patches: used } = kustomization
    for (const [source, format] of sourcesOf(secretGenerator ?? [])) {
      await open(inside(path, source), format)
    }
    for (const { path: source } of used ?? []) {
      if (source && (await open(inside(path, source), formatOf(source)))) {
        patches.add(inside(path, source))
      }
    }
    for (const each of [...resources, ...components]) {
      if (!each.includes('://')) await visit(inside(path, each))
    }
  }

  /** Whether it was encrypted. */
  async function open(path: string, format: Format): Promise<boolean> {
    const bytes = files.read(path)
    if (plain.has(path)) return true
    if (bytes === undefined || !isEncryptedFile(bytes, format)) return false
    plain.set(path, await opened(bytes, format, path))
    return true
  }

  /** Whether what is in a manifest is what was encrypted can be told only before a build. */
  async function check(path: string): Promise<void> {
    const bytes = files.read(path)
    const format = formatOf(path)
    if (bytes === undefined || format === 'binary' || !isEncryptedFile(bytes, format)) return
    const isLeft = /kustomize\.toolkit\.fluxcd\.io\/decrypt["']?:\s*["']?disabled/i
    if (!isLeft.test(Buffer.from(bytes).toString())) await opened(bytes, format, path)
  }

  async function opened(bytes: Uint8Array, format: Format, file: string): Promise<Uint8Array> {
    return await at({ file, line: 1 }, async () => {
      if (bytes.length > largest) throw new SopsError('it is larger than 5 MiB')
      return await decryptFile(bytes, keyring, format)
    })
  }
}

/** Undefined where there is none, or none that can be read: the build says so. */
function kustomizationIn(files: Files, folder: string): Kustomization | undefined {
  for (const name of ['kustomization.yaml', 'kustomization.yml', 'Kustomization']) {
    const path = inside(folder, name)
    const bytes = files.isDirectory(path) ? undefined : files.read(path)
    if (bytes === undefined) continue
    try {
      return readKustomization(new TextDecoder().decode(bytes), path, true).kustomization
    } catch (error) {
      if (error instanceof KustomizeError) return undefined
      throw error
    }
  }
  return undefined
}

/** What may be encrypted, and in which form it is read. */
function sourcesOf(
  secretGenerator: NonNullable<Kustomization['secretGenerator']>,
): readonly (readonly [string, Format])[] {
  return [
    ...secretGenerator.flatMap((generator) => generator?.files ?? []).map(fileSource),
    ...secretGenerator.flatMap((generator) => generator?.envs ?? []).map(envSource),
  ]
}

function fileSource(source: string): readonly [string, Format] {
  const at = source.indexOf('=')
  return [source.slice(at + 1), formatOf(at < 0 ? source : source.slice(0, at))]
}

function envSource(path: string): readonly [string, Format] {
  const format = formatOf(path)
  return [path, format === 'binary' ? 'dotenv' : format]
}

/** An object that was built in plain: one with a `sops` part of its own, or a Secret with encrypted values. */
export async function decrypted(
  object: JsonObject,
  place: FileLine,
  keyring: Keyring,
): Promise<JsonObject> {
  const said = textMapOf(recordOf(object['metadata'])['annotations'])[annotation]
  if (said?.toLowerCase() === 'disabled') return object
  return await at(place, async () => {
    if (isEncryptedObject(object)) return await decryptObject(object, keyring)
    if (!isSecret(nameOfObject(object)) || object['data'] === undefined) return object
    const data = { ...recordOf(object['data']) }
    for (const [key, value] of Object.entries(data)) {
      data[key] = (await decryptedValue(key, textOf(value), keyring)) ?? value
    }
    return { ...object, data }
  })
}

async function decryptedValue(
  key: string,
  value: string,
  keyring: Keyring,
): Promise<string | undefined> {
  const bytes = Buffer.from(value, 'base64')
  const format = encryptedFormatOf(bytes)
  if (format === undefined) return undefined
  try {
    return (await decryptFile(bytes, keyring, format, formatOf(key))).toString('base64')
  } catch (error) {
    if (!(error instanceof SopsError)) throw error
    throw new SopsError(`data.${key}: ${error.message}`, { cause: error })
  }
}

async function at<Result>(place: FileLine, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SopsError)) throw error
    throw new KustomizeError(`this can't be decrypted: ${error.message}`, place)
  }
}

function inside(folder: string, path: string): string {
  const full = join(folder, path).replace(/\/$/, '')
  return full === '.' ? '' : full
}

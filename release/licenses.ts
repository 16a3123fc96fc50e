/** Lists whose work went into a bundle, each with the text of its licence. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import type { Metafile } from 'esbuild'
import type { Licensed } from '#cli/commands/licenses.ts'

export function licensesOf(inputs: readonly Metafile[]): readonly Licensed[] {
  const files = inputs.flatMap(({ inputs: one }) => Object.keys(one))
  const folders = new Set(files.flatMap((file) => folderOf(file) ?? []))
  return [
    licensed('.'),
    licensed(nodeFolder(), 'Node.js'),
    ...[...folders].toSorted().map((one) => licensed(one)),
  ]
}

/** The package that a file belongs to; packages may have packages of their own. */
function folderOf(file: string): string | undefined {
  return /^(?:.*?\/)?(node_modules\/(?:@[^/]+\/)?[^/]+(?:\/node_modules\/(?:@[^/]+\/)?[^/]+)*)\//.exec(
    file,
  )?.[1]
}

function licensed(folder: string, called?: string): Licensed {
  const about = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const { name, version, license } = about
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  const text =
    file === undefined ? named(license, about) : readFileSync(`${folder}/${file}`, 'utf8')
  if (text === undefined || license === undefined) {
    throw new Error(`${folder} has no licence: it can't be a part of a release`)
  }
  return { name: called ?? name, version, license, text }
}

/** A package that only names its licence: the words of that licence, as another package has them, with its own author. */
function named(license: unknown, { author }: { readonly author?: unknown }): string | undefined {
  const who = typeof author === 'string' ? author : nameIn(author)
  const example = license === 'MIT' ? 'node_modules/pg-pool/LICENSE' : undefined
  if (who === undefined || example === undefined || !existsSync(example)) return undefined
  const text = readFileSync(example, 'utf8')
  const copyright = /^Copyright.*$/m
  return copyright.test(text) ? text.replace(copyright, `Copyright (c) ${who}`) : undefined
}

function nameIn(author: unknown): string | undefined {
  if (typeof author !== 'object' || author === null || !('name' in author)) return undefined
  return String(author.name)
}

function nodeFolder(): string {
  const found = ['x64', 'arm64'].map((arch) => `node_modules/node-linux-${arch}`).find(existsSync)
  if (found === undefined) throw new Error('the Node that Tend runs on is not installed: npm ci')
  return found
}

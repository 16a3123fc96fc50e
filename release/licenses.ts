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
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  if (file === undefined || license === undefined) {
    throw new Error(`${folder} has no licence: it can't be a part of a release`)
  }
  const text = readFileSync(`${folder}/${file}`, 'utf8')
  return { name: called ?? name, version, license, text }
}

function nodeFolder(): string {
  const found = ['x64', 'arm64'].map((arch) => `node_modules/node-linux-${arch}`).find(existsSync)
  if (found === undefined) throw new Error('the Node that Tend runs on is not installed: npm ci')
  return found
}

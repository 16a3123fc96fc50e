/** The product with one more kind of application: a folder in domains/, a file in kinds/ and a line in the list, and nothing else. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export type Product = {
  /** Its launcher. */
  readonly program: string
  remove(): void
}

/** `source`: where the product is; this one, unless told. */
export function withFilesKind(source = '.'): Product {
  const root = mkdtempSync(join(tmpdir(), 'tend-kind-'))
  for (const name of ['src', 'bin', 'package.json']) {
    cpSync(join(source, name), join(root, name), copying)
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  cpSync(join(source, 'test/kinds/files'), join(root, 'src/domains/files'), copying)
  const kind = readFileSync(join(source, 'test/kinds/files.ts'), 'utf8')
  writeFileSync(join(root, 'src/kinds/files.ts'), kind.replaceAll("'./files/", "'#domains/files/"))
  const list = join(root, 'src/kinds/all.ts')
  writeFileSync(list, withLine(readFileSync(list, 'utf8')))
  return {
    program: join(root, 'bin/tend'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

const copying = { recursive: true } as const

function withLine(list: string): string {
  const longer = list
    .replace('import { fleet }', "import { files } from './files.ts'\nimport { fleet }")
    .replace('kustomizations, fleet]', 'kustomizations, fleet, files]')
  if (!longer.includes('fleet, files]')) throw new Error('the list of kinds looks different')
  return longer
}

/** The product with one more kind of application: a folder in domains/, a file in kinds/ and a line in the list, and nothing else. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export type Product = {
  /** Its launcher. */
  readonly program: string
  /** Bundles it, as users have the program; gives the launcher of that. */
  readonly build: () => string
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
    build: () => built(root),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

function built(root: string): string {
  cpSync('release', join(root, 'release'), copying)
  const lines = [
    "import { bundle } from './release/bundle.ts'",
    "import { origin } from './release/origin.ts'",
    "await bundle('dist', origin())",
  ]
  const words = ['--input-type=module', '-e', lines.join('\n')]
  mkdirSync(join(root, 'dist'))
  execFileSync(process.execPath, words, { cwd: root, stdio: 'pipe' })
  cpSync('release/tend', join(root, 'dist/tend'))
  return join(root, 'dist/tend')
}

const copying = { recursive: true } as const

function withLine(list: string): string {
  const longer = list
    .replace('import { fleet }', "import { files } from './files.ts'\nimport { fleet }")
    .replace('kustomizations, fleet]', 'kustomizations, fleet, files]')
  if (!longer.includes('fleet, files]')) throw new Error('the list of kinds looks different')
  return longer
}

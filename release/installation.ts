/** What is put on a machine, the same in every form of a release: bin, lib/tend, share. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { completionScripts } from '#cli/commands/completion.ts'
import about from '#package' with { type: 'json' }
import { manPages } from './man-pages.ts'
import type { Origin } from './origin.ts'
import { below, file, filesIn, type Entry, type Tree } from './tree.ts'

/** What every form has beside the program. */
export const papers = ['LICENSE', 'NOTICE', 'README.md', 'CHANGELOG.md'] as const

/** `program` is the folder of the bundles and their code, `node` the executable that runs them. */
export function installation(program: string, node: Buffer, { date = '' }: Origin): Tree {
  const launcher = { kind: 'link', to: '../lib/tend/tend' } as const
  return {
    'bin/tend': launcher,
    'bin/cutepod': launcher,
    ...filesIn(program, 'lib/tend'),
    'lib/tend/node': file(node, 0o755),
    ...below('share/man/man1', zipped(manPages(about.version, date.slice(0, 10)))),
    ...completions(),
    ...filesIn('examples', 'share/doc/tend/examples'),
    ...filesIn('schemas', 'share/doc/tend/schemas'),
    ...filesIn('docs', 'share/doc/tend/docs'),
    ...filesIn('packaging', 'share/doc/tend/packaging'),
    ...read('share/doc/tend', [...papers, 'README_CN.md', 'SECURITY.md', 'AGENTS.md']),
  }
}

export function read(folder: string, names: readonly string[]): Tree {
  return Object.fromEntries(names.map((name) => [`${folder}/${name}`, file(readFileSync(name))]))
}

function completions(): Tree {
  const { bash = '', zsh = '', fish = '' } = completionScripts
  const places = {
    'share/bash-completion/completions/tend': bash,
    'share/bash-completion/completions/cutepod': bash,
    'share/zsh/vendor-completions/_tend': zsh,
    'share/fish/vendor_completions.d/tend.fish': fish,
  }
  return Object.fromEntries(Object.entries(places).map(([path, text]) => [path, file(`${text}\n`)]))
}

function zipped(pages: Tree): Tree {
  const gz = (entry: Entry) =>
    entry.kind === 'file' ? file(gzipSync(entry.content, { level: 9 })) : entry
  return Object.fromEntries(Object.entries(pages).map(([name, one]) => [`${name}.gz`, gz(one)]))
}

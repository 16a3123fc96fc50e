/** The npm package: the program without a Node, for a Node of at least 24. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { papers, read } from './installation.ts'
import { tarOf } from './tar.ts'
import { file, filesIn } from './tree.ts'

/** Run by npm before it installs; the program itself says the same where npm runs no scripts. */
const preinstall = 'node tend.cjs --version'

export function npmPackage(program: string, time: number, level: number): Buffer {
  const about = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8'))
  const manifest = { ...about, os: ['linux', 'darwin'], scripts: { preinstall } }
  const files = {
    ...filesIn(program, 'package'),
    ...filesIn('schemas', 'package/schemas'),
    ...read('package', papers),
    'package/package.json': file(`${JSON.stringify(manifest, null, 2)}\n`),
  }
  return gzipSync(tarOf(files, time), { level })
}

/** Writes a .deb: an ar archive of a version, a tar of what dpkg has to know, and a tar of the files. */
import { createHash } from 'node:crypto'
import { tarOf } from './tar.ts'
import { file, type Tree } from './tree.ts'
import { xzOf } from './xz.ts'

export type DebianPackage = {
  readonly control: string
  /** Scripts of the package and its list of conffiles. */
  readonly scripts: Tree
  readonly files: Tree
  readonly time: number
  readonly level: number
}

export async function debOf(from: DebianPackage): Promise<Buffer> {
  const { control, scripts, files, time, level } = from
  const sums = Object.entries(files)
    .flatMap(([path, entry]) =>
      entry.kind === 'file'
        ? [`${createHash('md5').update(entry.content).digest('hex')}  ${path}\n`]
        : [],
    )
    .toSorted((one, other) => (one.slice(34) < other.slice(34) ? -1 : 1))
  const about = { ...scripts, control: file(control), md5sums: file(sums.join('')) }
  const packed = (tree: Tree) => xzOf(tarOf(tree, time, './'), level)
  return Buffer.concat([
    Buffer.from('!<arch>\n'),
    ...member('debian-binary', Buffer.from('2.0\n'), time),
    ...member('control.tar.xz', await packed(about), time),
    ...member('data.tar.xz', await packed(files), time),
  ])
}

function member(name: string, content: Buffer, time: number): readonly Buffer[] {
  const head = [
    name.padEnd(16),
    String(time).padEnd(12),
    '0'.padEnd(6),
    '0'.padEnd(6),
    '100644'.padEnd(8),
    String(content.length).padEnd(10),
    '`\n',
  ].join('')
  return [Buffer.from(head), content, Buffer.from(content.length % 2 === 1 ? '\n' : '')]
}

/** Writes tar archives (POSIX ustar): owned by root, all of one time, in the order of their names. */
import { whole, type Entry, type Tree } from './tree.ts'

const block = 512

/** `prefix` stands before each path: Debian's archives begin with `./`. */
export function tarOf(tree: Tree, time: number, prefix = ''): Buffer {
  const parts = whole(tree).flatMap(([path, entry]) => {
    const content = entry.kind === 'file' ? entry.content : Buffer.alloc(0)
    const rest = (block - (content.length % block)) % block
    return [header(`${prefix}${path}`, entry, content.length, time), content, Buffer.alloc(rest)]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * block)])
}

const types = { file: '0', link: '2', folder: '5' } as const

function header(path: string, entry: Entry, size: number, time: number): Buffer {
  const bytes = Buffer.alloc(block)
  const [name, folder] = split(entry.kind === 'folder' ? `${path}/` : path)
  bytes.write(name, 0)
  bytes.write(octal(entry.kind === 'link' ? 0o777 : entry.mode, 8), 100)
  bytes.write(octal(0, 8), 108)
  bytes.write(octal(0, 8), 116)
  bytes.write(octal(size, 12), 124)
  bytes.write(octal(time, 12), 136)
  bytes.write(types[entry.kind], 156)
  if (entry.kind === 'link') bytes.write(entry.to, 157)
  bytes.write('ustar\u000000root', 257)
  bytes.write('root', 297)
  bytes.write(folder, 345)
  // the sum is taken with eight blanks in its own place
  bytes.fill(' ', 148, 156)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${octal(sum, 7)}\u0000 `, 148)
  return bytes
}

/** A name of more than a hundred letters is cut at a slash. */
function split(path: string): readonly [name: string, folder: string] {
  if (Buffer.byteLength(path) <= 100) return [path, '']
  const at = path.indexOf('/', path.length - 100)
  if (at < 0 || at > 155) throw new Error(`no tar archive can hold this name: ${path}`)
  return [path.slice(at + 1), path.slice(0, at)]
}

function octal(value: number, width: number): string {
  return value.toString(8).padStart(width - 1, '0')
}

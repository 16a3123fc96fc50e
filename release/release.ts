/** `npm run release`: everything that people install, into dist/, with its sums. Two runs on one commit give equal bytes. */
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import about from '#package' with { type: 'json' }
import { billOfMaterials } from './bill-of-materials.ts'
import { debianName, debianPackage } from './debian.ts'
import { installation, read } from './installation.ts'
import { keepCode } from './keep-code.ts'
import { nodeInside, type Machine } from './node-inside.ts'
import { npmPackage } from './npm-package.ts'
import { oneExecutable } from './one-executable.ts'
import { origin } from './origin.ts'
import { makeProgram } from './program.ts'
import { provenance, type Inside } from './provenance.ts'
import { strip } from './strip.ts'
import { tarOf } from './tar.ts'
import { below } from './tree.ts'
import { xzOf } from './xz.ts'

const { values, machines } = asked()
const from = origin()
const level = values.quick ? 1 : 9
const made: string[] = []
const scratch = mkdtempSync(join(tmpdir(), 'tend-release-'))
rmSync(values.into, { recursive: true, force: true })
mkdirSync(values.into, { recursive: true })

const program = join(scratch, 'program')
mkdirSync(program)
await makeProgram(program)
put(`tend-cli-${about.version}.tgz`, npmPackage(program, from.time, level))
const nodes: Inside[] = []
for (const machine of machines) nodes.push(await makeFor(machine))
const parts = JSON.parse(readFileSync(join(program, 'licenses.json'), 'utf8'))
const sums = Object.fromEntries(nodes.map(({ machine, insideSum }) => [machine, insideSum]))
put(`tend-${about.version}.cdx.json`, Buffer.from(billOfMaterials(parts, from, sums)))
put('PROVENANCE.md', Buffer.from(provenance(from, nodes)))
const lines = made.map((name) => `${sumOf(readFileSync(join(values.into, name)))}  ${name}\n`)
writeFileSync(join(values.into, 'SHA256SUMS'), lines.join(''))
rmSync(scratch, { recursive: true })

async function makeFor(machine: Machine): Promise<Inside> {
  const node = nodeInside(machine)
  const own = join(scratch, machine)
  cpSync(program, own, { recursive: true })
  await keepCode(own, node.command)
  const original = readFileSync(node.program)
  const { program: inside, kept } = strip(original)
  const installed = installation(own, inside, from)
  const name = `tend-${about.version}-linux-${machine}`
  const archive = below(name, { ...installed, ...topFiles() })
  const tar = tarOf(archive, from.time)
  put(`${name}.tar.gz`, gzipSync(tar, { level: 9 }))
  const [xz, deb] = await Promise.all([
    xzOf(tar, level),
    debianPackage(installed, machine, { time: from.time, level }),
  ])
  put(`${name}.tar.xz`, xz)
  put(debianName(machine), deb)
  put(`tend-linux-${machine}`, oneExecutable(own, inside), 0o755)
  return { ...node, machine, kept, sum: sumOf(original), insideSum: sumOf(inside) }
}

function topFiles() {
  const tree = read('.', ['LICENSE', 'NOTICE', 'README.md'])
  return Object.fromEntries(Object.entries(tree).map(([path, one]) => [path.slice(2), one]))
}

function put(name: string, content: Buffer, mode = 0o644): void {
  writeFileSync(join(values.into, name), content, { mode })
  made.push(name)
  console.log(`${values.into}/${name}  ${(content.length / 1e6).toFixed(1)} MB`)
}

function sumOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Nothing is removed or made before all words are understood. */
function asked() {
  try {
    const { values } = parseArgs({
      options: {
        machine: { type: 'string', multiple: true, default: ['x64', 'arm64'] },
        into: { type: 'string', default: 'dist' },
        /** What xz packs is larger, and made sooner: for tests. */
        quick: { type: 'boolean', default: false },
      },
    })
    return { values, machines: values.machine.map(machineOf) }
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown)
    console.error('npm run release [-- --machine x64|arm64] [--into FOLDER] [--quick]')
    process.exit(2)
  }
}

function machineOf(text: string): Machine {
  if (text === 'x64' || text === 'arm64') return text
  throw new Error(`--machine is x64 or arm64, not ${text}`)
}

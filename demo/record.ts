/** `npm run record`: runs the commands of the picture in the README on a real Podman, and writes docs/terminal.svg from what they printed. */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { addImage, exampleImage } from '../test/testbed/image.ts'
import { provide } from '../test/testbed/packages.ts'
import { startPodman } from '../test/testbed/podman.ts'
import { terminalSvg, type Shown } from './terminal-svg.ts'

const commands = [
  'tend install ./hello',
  `sed -i 's/Hello from Tend/Good morning/' hello/values.yaml`,
  'tend plan ./hello',
  'tend upgrade ./hello',
  'tend status hello',
]
/** Seconds: nobody watches a pause longer than this, and everybody needs one to read. */
const longest = 1
const reading = 1.6

if (!provide('podman')) process.exit(1)
const folder = mkdtempSync(join(tmpdir(), 'tend-record-'))
const podman = await startPodman()
try {
  await addImage(podman.socket, exampleImage)
  cpSync('examples/hello', join(folder, 'hello'), { recursive: true })
  const shown: Shown[] = []
  let at = 0.3
  for (const command of commands) {
    shown.push({ at, line: `$ ${command}` })
    at += 0.6
    let last = Date.now()
    await run(command, (line) => {
      // told only where the engine is not the usual one, as here
      if (line.includes(podman.socket)) return
      at += Math.min((Date.now() - last) / 1000, longest)
      last = Date.now()
      shown.push({ at, line })
    })
    shown.push({ at, line: '' })
    at += reading
  }
  writeFileSync('docs/terminal.svg', terminalSvg(shown, 68, 26))
  console.log(`docs/terminal.svg: ${shown.length} lines, ${Math.round(at)} s`)
} finally {
  await podman.stop()
  rmSync(folder, { recursive: true })
}

/** On a terminal of its own, for the colours; what is drawn live on stderr is no part of the output. */
async function run(command: string, tell: (line: string) => void): Promise<void> {
  const child = spawn('script', ['-qefc', `${command} 2>/dev/null`, '/dev/null'], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${resolve('bin')}:${process.env['PATH']}`,
      CONTAINER_HOST: `unix://${podman.socket}`,
      TEND_HOME: join(folder, 'home'),
      TERM: 'xterm-256color',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) tell(line.trimEnd())
  })
  const code = await new Promise<number | null>((done) => child.on('close', done))
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
}

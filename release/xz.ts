/** Packs with xz: a third smaller than gzip, which counts for an executable that everybody downloads. Node itself can't. */
import { spawn } from 'node:child_process'

/** `level` from 1 to 9, the last with all the time that it takes. One thread and no time inside: equal content gives equal bytes. */
export function xzOf(content: Buffer, level: number): Promise<Buffer> {
  return new Promise((done, fail) => {
    const preset = level === 9 ? '-9e' : `-${level}`
    const child = spawn('xz', [preset, '--threads=1', '--check=crc64', '--stdout'])
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.stderr.pipe(process.stderr)
    child.on('error', () => {
      fail(new Error('xz is missing. Run: apt-get install -y --no-install-recommends xz-utils'))
    })
    child.on('close', (code) => {
      if (code === 0) return done(Buffer.concat(parts))
      fail(new Error(`xz ended with ${code}`))
    })
    child.stdin.on('error', () => {}) // xz ended early: its exit code says so
    child.stdin.end(content)
  })
}

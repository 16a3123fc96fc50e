/** A small image made offline from the static busybox, kept as a tar outside the checkout. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { whereIs } from './packages.ts'

export const busybox = 'localhost/tend/busybox:1'
/** The examples name an image that everybody can pull; tests put the same busybox under that name and need no registry. */
export const exampleImage = 'docker.io/library/busybox:1.36'

/**
 * Imports it under a name. `mark` goes into the file /mark and an environment variable, so that two versions of an image
 * differ in content and id.
 */
export async function addImage(socket: string, name: string = busybox, mark = ''): Promise<string> {
  const changes = ['CMD ["sh"]', 'ENV IMAGE_VARIABLE=from-image', `LABEL mark=${mark}`]
  const query = new URLSearchParams([
    ['reference', name],
    ...changes.map((change): [string, string] => ['changes', change]),
  ])
  const tar = readFileSync(busyboxTar(mark))
  const answer = await post(socket, `/v4.0.0/libpod/images/import?${query.toString()}`, tar)
  const id = /"Id":"(?:sha256:)?([0-9a-f]{64})"/.exec(answer)?.[1]
  if (id === undefined) throw new Error(`the image could not be imported: ${answer}`)
  return id
}

export function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = join(base, 'tend-testbed')
  mkdirSync(folder, { recursive: true })
  return folder
}

export function busyboxTar(mark: string): string {
  const program = whereIs('busybox')
  if (program === undefined) throw new Error('busybox is missing: apt-get install busybox-static')
  const version = createHash('sha256')
    .update(readFileSync(program))
    .update(`2:${mark}`)
    .digest('hex')
  const tar = join(cacheFolder(), `busybox-${version.slice(0, 16)}.tar`)
  if (!existsSync(tar)) makeTar(program, mark, tar)
  return tar
}

function makeTar(program: string, mark: string, tar: string): void {
  const folder = mkdtempSync(join(cacheFolder(), 'image-'))
  for (const name of ['bin', 'etc', 'tmp', 'var', 'www', 'root']) mkdirSync(join(folder, name))
  copyFileSync(program, join(folder, 'bin', 'busybox'))
  const names = execFileSync(program, ['--list'], { encoding: 'utf8' }).trim().split('\n')
  for (const name of names) {
    if (name !== 'busybox') symlinkSync('busybox', join(folder, 'bin', name))
  }
  writeFileSync(join(folder, 'etc', 'passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  writeFileSync(join(folder, 'etc', 'group'), 'root:x:0:\n')
  writeFileSync(join(folder, 'www', 'index.html'), 'hello\n')
  writeFileSync(join(folder, 'mark'), `${mark}\n`)
  const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  execFileSync('tar', [...fixed, '-C', folder, '-cf', `${folder}.tar`, '.'])
  renameSync(`${folder}.tar`, tar)
  rmSync(folder, { recursive: true })
}

function post(socketPath: string, path: string, body: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/x-tar', 'Content-Length': body.length }
    const call = request({ socketPath, method: 'POST', path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => resolve(text))
      response.on('error', reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}

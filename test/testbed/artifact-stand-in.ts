/** Stands in for source-controller: serves archives and announces them in statuses, as the real one does. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type Announced = {
  readonly revision: string
  readonly digest: string
  readonly path: string
  readonly url: string
  readonly size: number
  readonly lastUpdateTime: string
}

export type ArtifactStandIn = {
  /** `127.0.0.1:PORT`; what it announces has the name that it would have in a cluster. */
  readonly host: string
  /** What a status says of these files; they are served from now on. */
  announce(revision: string, files: Readonly<Record<string, string>>): Announced
  stop(): Promise<void>
}

export async function startArtifacts(): Promise<ArtifactStandIn> {
  const served = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const bytes = served.get(request.url ?? '')
    if (bytes === undefined) return void response.writeHead(404).end()
    response.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    host: `127.0.0.1:${port}`,
    announce(revision, files) {
      const bytes = packed(files)
      const hex = createHash('sha256').update(bytes).digest('hex')
      const path = `gitrepository/flux-system/x/${hex}.tar.gz`
      served.set(`/${path}`, bytes)
      return {
        revision,
        digest: `sha256:${hex}`,
        path,
        url: `http://source-controller.flux-system.svc.cluster.local./${path}`,
        size: bytes.length,
        lastUpdateTime: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function packed(files: Readonly<Record<string, string>>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'tend-artifact-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const archive = `${folder}.tar.gz`
    execFileSync('tar', ['-C', folder, '-czf', archive, '.'])
    const bytes = readFileSync(archive)
    rmSync(archive)
    return bytes
  } finally {
    rmSync(folder, { recursive: true })
  }
}

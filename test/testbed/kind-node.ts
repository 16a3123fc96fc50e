/** A node image for real kind: a real control plane from the cached tools, without a kubelet, and a page on port 80. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { cacheFolder } from './image.ts'
import { kubeTool } from './kube-tools.ts'
import { whereIs } from './packages.ts'

export const kindNode = 'localhost/tend/kind-node:1'
export const kindNodeChanges = [
  'ENV PATH=/usr/local/bin:/bin',
  'ENTRYPOINT ["/usr/local/bin/entrypoint"]',
]

const folder = join(import.meta.dirname, 'kind-node')
const scripts = ['entrypoint', 'kubeadm', 'run-plane']
const tools = ['kube-apiserver', 'kube-controller-manager', 'kubectl'] as const

/** The whole file system, made once for these tools and scripts. */
export function kindNodeTar(): string {
  const programs = new Map<string, string>([
    ...tools.map((name) => [name, kubeTool(name)] as const),
    ['kubeadm.real', kubeTool('kubeadm')],
    ['etcd', placeOf('etcd')],
  ])
  const version = createHash('sha256')
  for (const [name, path] of programs) {
    const { size, mtimeMs } = statSync(path)
    version.update(`${name} ${path} ${size} ${mtimeMs}\n`)
  }
  for (const name of scripts) version.update(readFileSync(join(folder, name)))
  const tar = join(cacheFolder(), `kind-node-${version.digest('hex').slice(0, 16)}.tar`)
  if (!existsSync(tar)) makeTar(programs, tar)
  return tar
}

function makeTar(programs: ReadonlyMap<string, string>, tar: string): void {
  const root = mkdtempSync(join(cacheFolder(), 'kind-node-'))
  const into = (path: string): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    return join(root, path)
  }
  try {
    for (const path of ['tmp', 'var/lib', 'run', 'proc', 'sys', 'dev', 'root', 'www']) {
      mkdirSync(join(root, path), { recursive: true })
    }
    for (const [name, path] of programs) {
      copyFileSync(path, into(`usr/local/bin/${name}`))
      for (const library of librariesOf(path)) copyFileSync(realpathSync(library), into(library))
    }
    for (const name of scripts) copyFileSync(join(folder, name), into(`usr/local/bin/${name}`))
    const busybox = placeOf('busybox')
    copyFileSync(busybox, into('bin/busybox'))
    for (const name of execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')) {
      if (name !== 'busybox') symlinkSync('busybox', join(root, 'bin', name))
    }
    writeFileSync(into('etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
    writeFileSync(into('etc/group'), 'root:x:0:\n')
    writeFileSync(into('kind/version'), basename(kubeTool('kubeadm')).replace('kubeadm-', ''))
    for (const name of ['default-cni', 'default-storage']) {
      writeFileSync(into(`kind/manifests/${name}.yaml`), manifest(name))
    }
    execFileSync('chmod', ['-R', 'u+rwX,go+rX', root])
    execFileSync('chmod', ['-R', 'a+x', join(root, 'usr/local/bin')])
    const fixed = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
    execFileSync('tar', [...fixed, '-C', root, '-cf', `${root}.tar`, '.'])
    renameSync(`${root}.tar`, tar)
  } finally {
    rmSync(root, { recursive: true })
    rmSync(`${root}.tar`, { force: true })
  }
}

/** kind applies what it finds there: no network and no storage is needed for a control plane. */
function manifest(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\n`
}

/** Debian's etcd may be linked with the C library. */
function librariesOf(program: string): readonly string[] {
  try {
    const told = execFileSync('ldd', [program], { encoding: 'utf8', stdio: 'pipe' })
    return [...told.matchAll(/(\/\S+) \(0x/g)].map((match) => match[1]!)
  } catch {
    return []
  }
}

function placeOf(program: string): string {
  const path = whereIs(program)
  if (path === undefined) throw new Error(`${program} is missing`)
  return path
}

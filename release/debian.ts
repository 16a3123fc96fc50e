/** The Debian package: what every release has, with a unit for systemd, a conffile, and a user and group `tend`. */
import { readFileSync } from 'node:fs'
import about from '#package' with { type: 'json' }
import { debOf } from './debian-package.ts'
import type { Machine } from './node-inside.ts'
import { below, file, type Tree } from './tree.ts'

const architectures = { x64: 'amd64', arm64: 'arm64' } as const

export function debianName(machine: Machine): string {
  return `tend_${about.version}_${architectures[machine]}.deb`
}

export function debianPackage(
  installed: Tree,
  machine: Machine,
  how: { readonly time: number; readonly level: number; readonly version?: string },
): Promise<Buffer> {
  const unit = readFileSync('packaging/tend.service', 'utf8')
  const files = {
    ...below('usr', installed),
    'etc/tend/tend.yaml': file(readFileSync('packaging/debian/tend.yaml')),
    'usr/lib/systemd/system/tend.service': file(
      unit.replaceAll('/usr/local/bin/tend', '/usr/bin/tend'),
    ),
    'usr/share/doc/tend/copyright': file(readFileSync('NOTICE')),
  }
  const scripts = {
    conffiles: file('/etc/tend/tend.yaml\n'),
    ...Object.fromEntries(
      ['postinst', 'prerm', 'postrm'].map((name) => [
        name,
        file(readFileSync(`packaging/debian/${name}`), 0o755),
      ]),
    ),
  }
  const control = `Package: tend
Version: ${how.version ?? about.version}
Architecture: ${architectures[machine]}
Maintainer: the Tend authors <tend@example.org>
Installed-Size: ${sizeOf(files)}
Depends: libc6 (>= 2.28), libstdc++6, adduser
Recommends: git, openssh-client, ca-certificates, podman | docker.io
Section: admin
Priority: optional
Description: keeps running things as they were declared
 Charts on Podman, Compose files on Docker or Podman, manifests in Git on
 Kubernetes, and a fleet of clusters from a table: by hand, or continuously
 as a service. It brings the Node that it runs on.
`
  return debOf({ control, scripts, files, ...how })
}

/** In kibibytes. */
function sizeOf(files: Tree): number {
  const sizes = Object.values(files).map((one) => (one.kind === 'file' ? one.content.length : 0))
  return sizes.reduce((total, size) => total + Math.ceil(size / 1024), 0)
}

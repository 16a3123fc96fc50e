/** Where everything in a release comes from, and how that is checked: a page for people. */
import about from '#package' with { type: 'json' }
import type { NodeInside } from './node-inside.ts'
import type { Origin } from './origin.ts'

export type Inside = NodeInside & { readonly machine: string; readonly sum: string }

export function provenance(
  { commit = 'unknown', date = '' }: Origin,
  nodes: readonly Inside[],
): string {
  const rows = nodes.map(
    ({ machine, version, integrity, sum }) =>
      `| node-linux-${machine}@${version} | ${integrity} | ${sum} |`,
  )
  const [{ version, machine }] = [nodes[0] ?? { version: 'VERSION', machine: 'x64' }]
  const name = `node-v${version}-linux-${machine}`
  return `# Where this release comes from

Tend ${about.version}, commit ${commit}${date === '' ? '' : ` of ${date}`}. \`npm run release\` on that commit makes the same bytes
again: compare with SHA256SUMS.

The packages inside are those of package-lock.json, which has the sum of each; npm refuses others. They are listed in
tend-${about.version}.cdx.json (CycloneDX).

## The Node inside

It is the executable of these npm packages, unchanged. The build refuses a package whose sum is not the lockfile's.

| package | sum of the package | SHA-256 of bin/node |
|---|---|---|
${rows.join('\n')}

To compare it with what nodejs.org signed (the keys are listed at https://github.com/nodejs/release-keys):

\`\`\`sh
curl -fsSO https://nodejs.org/dist/v${version}/SHASUMS256.txt.asc
gpg --verify SHASUMS256.txt.asc
curl -fsSO https://nodejs.org/dist/v${version}/${name}.tar.xz
grep ' ${name}.tar.xz$' SHASUMS256.txt.asc | sha256sum --check
tar -xOf ${name}.tar.xz ${name}/bin/node | sha256sum
\`\`\`
`
}

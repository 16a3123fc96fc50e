/** Where everything in a release comes from, and how that is checked: a page for people. */
import about from '#package' with { type: 'json' }
import type { NodeInside } from './node-inside.ts'
import type { Origin } from './origin.ts'

export type Inside = NodeInside & {
  readonly machine: string
  /** Of the package's own executable. */
  readonly sum: string
  /** Of what is left of it, and is in the release. */
  readonly insideSum: string
  /** So many of its bytes are those of the package's, but for the first 64. */
  readonly kept: number
}

export function provenance(
  { commit = 'unknown', date = '' }: Origin,
  nodes: readonly Inside[],
): string {
  const rows = nodes.map(
    ({ machine, version, integrity, sum, insideSum, kept }) =>
      `| node-linux-${machine}@${version} | ${integrity} | ${sum} | ${insideSum} | ${kept} |`,
  )
  const [{ version, machine, kept }] = [
    nodes[0] ?? { version: 'VERSION', machine: 'x64', kept: 64 },
  ]
  const name = `node-v${version}-linux-${machine}`
  return `# Where this release comes from

Tend ${about.version}, commit ${commit}${date === '' ? '' : ` of ${date}`}. \`npm run release\` on that commit makes the same bytes
again: compare with SHA256SUMS.

The packages inside are those of package-lock.json, which has the sum of each; npm refuses others. They are listed in
tend-${about.version}.cdx.json (CycloneDX).

## The Node inside

It is the executable of these npm packages without what only debuggers read: the names of its functions and the lines of its source
(release/strip.ts). Nothing else is changed. The build refuses a package whose sum is not the lockfile's, before it takes
anything out of it.

| package | sum of the package | SHA-256 of its bin/node | SHA-256 of lib/tend/node | bytes that are equal |
|---|---|---|---|---|
${rows.join('\n')}

To compare it with what nodejs.org signed (the keys are listed at https://github.com/nodejs/release-keys):

\`\`\`sh
curl -fsSO https://nodejs.org/dist/v${version}/SHASUMS256.txt.asc
gpg --verify SHASUMS256.txt.asc
curl -fsSO https://nodejs.org/dist/v${version}/${name}.tar.xz
grep ' ${name}.tar.xz$' SHASUMS256.txt.asc | sha256sum --check
tar -xOf ${name}.tar.xz ${name}/bin/node > node && sha256sum node
cmp --ignore-initial=64 --bytes=${kept - 64} node tend-${about.version}-linux-${machine}/lib/tend/node
\`\`\`

In \`tend-linux-${machine}\` one byte more differs, the mark that tells Node of the program inside: \`cmp --verbose\` shows a 60 (\`0\`) that became
a 61 (\`1\`). The program and its files stand behind all of that (release/embed.ts).
`
}

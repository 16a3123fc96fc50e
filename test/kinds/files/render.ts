/** A folder of files as resources: one each. A name that begins with `secret-` is a secret. Pure. */
import type { Rendered } from '#model/domain.ts'
import { hashOf } from '#model/json.ts'
import type { Need, Resource } from '#model/resource.ts'
import type { Tree } from '#model/tree.ts'
import type { Value } from '#model/value.ts'
import { vaultOf } from '#model/vault.ts'

export function renderFiles(tree: Tree, seed: Uint8Array): Rendered {
  const secrets = new Map<string, Uint8Array>()
  const resources = tree.list('').map((path): Resource => {
    const content = tree.read(path) ?? new Uint8Array()
    const origin = { file: path, line: 1, column: 1 }
    const spec = { content: contentOf(path, content, secrets) }
    return { ref: `file/${path}`, spec, needs: needsOf(path, tree), origin, problems: [] }
  })
  return {
    resources,
    problems: [],
    warnings: [],
    isIncomplete: false,
    version: hashOf(resources.map(({ ref }) => ref)).slice(0, 12),
    vault: vaultOf(secrets, seed),
  }
}

function contentOf(path: string, content: Uint8Array, secrets: Map<string, Uint8Array>): Value {
  if (!path.startsWith('secret-')) return new TextDecoder().decode(content)
  secrets.set(path, content)
  return { sealed: path }
}

/** `b.after-a.json` is written once `a.json` is healthy. */
function needsOf(path: string, tree: Tree): readonly Need[] {
  const [, first] = /\.after-(.+)$/.exec(path) ?? []
  const other = first === undefined ? undefined : tree.list('').find((one) => one === first)
  return other === undefined ? [] : [{ ref: `file/${other}`, until: 'healthy', renew: false }]
}

/** Every short syntax written out long, so that all later phases know one form only. */
import type { CanonicalOptions, Form } from './canonical-form.ts'
import type { Node } from '../yaml/node.ts'
import { rewriteAll, type Rules } from '../merge/path-rules.ts'
import { composeFile } from '../schema/file.ts'
import type { Shape } from '../schema/shape.ts'

export function toCanonical(root: Node, options: CanonicalOptions): Node {
  return rewriteAll(root, forms, (form, node, path, below) =>
    form(node, path, { ...options, below }),
  )
}

const forms = formsIn(composeFile)

/** Only the branches that hold a short syntax. */
function formsIn({ form, below = {} }: Shape): Rules<Form> {
  const children = new Map<string, Rules<Form>>()
  for (const [key, shape] of Object.entries(below)) {
    const lower = formsIn(shape)
    if (lower.rule !== undefined || lower.children.size > 0) children.set(key, lower)
  }
  return { rule: form, children }
}

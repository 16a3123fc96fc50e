/** The named templates that a render can see; a tpl text adds its own on top. */
import { isEmptyTree } from './nodes.ts'
import type { Template } from './parser.ts'

export type Scope = {
  find(name: string): Template | undefined
  add(found: ReadonlyMap<string, Template>): void
}

export function scope(parent?: Scope): Scope {
  const own = new Map<string, Template>()
  function find(name: string): Template | undefined {
    return own.get(name) ?? parent?.find(name)
  }
  return {
    find,
    /** A blank body never replaces a template that is there. */
    add(found) {
      for (const [name, template] of found) {
        if (find(name) === undefined || !isEmptyTree(template.root)) own.set(name, template)
      }
    },
  }
}

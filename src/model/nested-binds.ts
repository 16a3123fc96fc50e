/** Binds that lie inside of others: whoever writes the outer one can put a link in the place of the inner one. */
import { isStrictlyBelow } from './policy.ts'

export type Bind = {
  /** An absolute path on the host of the engine. */
  readonly path: string
  readonly isWritable: boolean
}

export type Nested<One extends Bind> = { readonly inner: One; readonly outer: One }

/** The inner binds, each with the first writable one that it lies in. Equal paths are no harm: nobody can replace the root of a mount. */
export function nestedIn<One extends Bind>(binds: readonly One[]): readonly Nested<One>[] {
  const writable = binds.filter(({ isWritable }) => isWritable)
  return binds.flatMap((inner) => {
    const outer = writable.find(({ path }) => isStrictlyBelow(inner.path, path))
    return outer === undefined ? [] : [{ inner, outer }]
  })
}

/** Builds under way and the images that they read: an image that gets its name meanwhile is not for those of other applications. */
import type { Problem } from '#model/problem.ts'
import { isSameName } from './built-name.ts'

export type BuildReader = {
  readonly owner: string
  readonly images: readonly string[]
  /** Why it may not read an image of this name that was built for another; undefined: it may. */
  refusal(image: string, builder: string): Problem | undefined
}

export type BuildReaders = {
  /** Whoever names an image that this one reads, and may not, ends it: `work` is given a signal for that. */
  during<Result>(
    reader: BuildReader,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>
  /** Ends the builds of others that read an image of this name and may not, before it has the name. */
  end(image: string, builder: string): Promise<void>
}

export function buildReaders(): BuildReaders {
  const all = new Map<BuildReader, { readonly ends: AbortController; ended: Promise<unknown> }>()
  return {
    async during(reader, work) {
      const ends = new AbortController()
      const working = work(ends.signal)
      // how it ended is told to whoever began it
      all.set(reader, { ends, ended: working.catch(() => undefined) })
      try {
        return await working
      } catch (error) {
        // the reason why it was ended, and not that it was
        ends.signal.throwIfAborted()
        throw error
      } finally {
        all.delete(reader)
      }
    },
    async end(image, builder) {
      for (const [reader, { ends, ended }] of all) {
        if (reader.owner === builder) continue
        const read = reader.images.find((one) => isSameName(one, image))
        const refusal = read === undefined ? undefined : reader.refusal(read, builder)
        if (refusal === undefined) continue
        ends.abort(refusal)
        await ended
      }
    },
  }
}

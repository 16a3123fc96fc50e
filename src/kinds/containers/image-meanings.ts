/**
 * Which image each name means on an engine. Podman's list of containers goes on telling the name that a container was made
 * with, so a tag that moved is seen here alone. It is asked for once, and again after news that a name may mean another one.
 */
import { movesTag } from '#domains/containers/image-news.ts'

type Image = { readonly id: string; readonly names: readonly string[] }

/** The id of an image by each of its names. */
export type Meanings = ReadonlyMap<string, string>

export type ImageMeanings = {
  now(signal: AbortSignal): Promise<Meanings>
  heard(event: { readonly type: string; readonly action: string }): void
}

export function imageMeanings(
  list: (signal: AbortSignal) => Promise<readonly Image[]>,
): ImageMeanings {
  let known: { readonly news: number; readonly meanings: Meanings } | undefined
  let news = 0
  return {
    async now(signal) {
      if (known?.news === news) return known.meanings
      // what is heard while it is asked counts for the next time
      const before = news
      const images = await list(signal)
      const meanings = new Map(images.flatMap(({ id, names }) => names.map((name) => [name, id])))
      known = { news: before, meanings }
      return meanings
    },
    heard({ type, action }) {
      if (type === 'image' && (movesTag(action) || action === 'delete' || action === 'remove'))
        news += 1
    },
  }
}

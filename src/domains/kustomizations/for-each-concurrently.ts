/** Works on many things, so many at once. */
import { defined } from '#model/defined.ts'

export async function forEachConcurrently<Item>(
  width: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  async function worker(): Promise<void> {
    while (next < items.length) {
      const item = defined(items[next])
      next += 1
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
}

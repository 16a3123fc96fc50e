/** What docker-cd started and Git has no word of: said once, and never touched. */
import { keyOf } from '#model/application.ts'
import type { Board } from './board.ts'
import type { Post } from './post.ts'

export function tellStrays({ declarations, units, parts }: Board, posts: readonly Post[]): void {
  if (!declarations.isOrigin) return
  for (const post of posts) {
    for (const name of post.sight()?.orphans.keys() ?? []) {
      if (units.has(keyOf({ kind: 'stack', namespace: null, name }))) continue
      const text = 'docker-cd started it and it is not in the repository: it is left as it is'
      parts.log('warning', text, { project: name })
    }
  }
}

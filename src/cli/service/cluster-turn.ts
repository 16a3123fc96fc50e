/** Which replica follows the cluster, by its name in the cluster: the next one knows whom it need not wait for. */
import type { Notes } from '#model/store.ts'

export type ClusterTurn = {
  /** The replica before this one. Its lease in the database is ours by now, so it acts no more. */
  predecessor(): Promise<string | undefined>
  taken(holder: string): Promise<void>
}

const [topic, key] = ['replicas', 'cluster'] as const

export function clusterTurn(notes: Notes): ClusterTurn {
  return {
    async predecessor() {
      const known = (await notes.read(topic)).get(key)
      return typeof known === 'string' ? known : undefined
    },
    taken: (holder) => notes.write(topic, key, holder),
  }
}

/** What /api/v1 answers of a fleet: its rows as they are declared, and how their clusters are. */
import type { ResourceAssessment } from './assessment.ts'
import type { Json } from './json.ts'

/** `GET /api/v1/fleets/NAME`: the rows of a fleet. `PUT …/clusters/NAME`, `DELETE …/clusters/NAME` change them. */
export type FleetDetail = {
  readonly key: string
  /** Why rows can't be changed here (a repository declares them), in a sentence; absent: they can. */
  readonly refusal?: string
  readonly clusters: readonly ClusterRow[]
}

export type ClusterRow = {
  readonly name: string
  readonly provider: string
  /** The row as it is declared, by column, and what is set beside the columns. Null: nothing is declared there. The texts in `config` are hidden. */
  readonly declared: Readonly<Record<string, Json>>
  readonly actual: string
  readonly assessment?: ResourceAssessment
  /** Registrations and the route as conditions: `route`, `portainer`, `argocd`, `git`. */
  readonly conditions: readonly {
    readonly type: string
    readonly state: 'true' | 'false' | 'unknown'
    readonly reason: string
  }[]
}

/** How applications of a kind are written in tend.yaml, and how they are found in a tree. */
import type { AppPolicy } from './declaration.ts'
import type { Json } from './json.ts'

export type KindDeclaration = {
  /** The name of the kind, and of its field in tend.yaml: `stack: web`. */
  readonly kind: string
  readonly names: {
    /** For editors. */
    readonly pattern: string
    readonly description: string
    /** What is wrong with a name; undefined: it is good. */
    fault(name: string): Fault | undefined
  }
  /** The fields that not all kinds have, and this one does. */
  readonly fields: readonly OwnField[]
  /** Where no namespace is said; null: none. */
  readonly namespace: string | null
  /** Its values are texts, as they are written: 0644 stays 0644. */
  readonly hasTextValues: boolean
  /** Its values are its spec; the fields that a declaration says elsewhere are filled in from there. */
  specFrom?(
    said: Readonly<Record<string, Json>>,
    around: { readonly prune: boolean; readonly source: string; readonly path: string },
  ): { readonly values: Values; readonly faults: readonly Fault[] }
  /** What its values say of the policy counts before what the declaration says beside them. */
  policyFrom?(values: Values, policy: AppPolicy): AppPolicy
  /** How often its source is asked where nobody says so and nobody tells of commits, ms; absent: as for all kinds. */
  readonly usualInterval?: number
  /** Absent: it is not found in trees, only declared one by one. */
  readonly discovery?: KindDiscovery
}

export type KindDiscovery = {
  /** A folder that holds one of these is such an application; the first that is there counts. */
  readonly files: readonly string[]
  /** The same where docker-cd's variables declare; absent: it knew none of this kind. */
  readonly originFiles?: readonly string[]
  /** Its file tells its name; else the folder does. */
  readonly isNamedInside: boolean
  /** `folder`: below the discovery's own; `text`: of its file, where that tells the name. */
  nameFrom(folder: string, text: string): string | undefined
  /** What to say where no name can be made. */
  unnamed(path: string): Fault
}

export type OwnField = 'files' | 'profiles' | 'namespace' | 'spec'

export type Values = Readonly<Record<string, Json>>

export type Fault = { readonly message: string; readonly suggestion?: string | undefined }

/** How applications of a kind are written in tend.yaml, and how they are found in a tree. */
import type * as z from 'zod/mini'
import type { AppPolicy, Declared } from './declaration.ts'
import type { Json } from './json.ts'

export type KindDeclaration = {
  /** The name of the kind, and of its field in tend.yaml: `stack: web`. */
  readonly kind: string
  readonly names: {
    /** The names that are allowed, as a regular expression for editors. */
    readonly pattern: string
    readonly description: string
    /** Says what is wrong with a name; undefined: the name is good. */
    fault(name: string): Fault | undefined
  }
  /** The fields that this kind has and that some other kinds do not have. */
  readonly fields: readonly OwnField[]
  /** The lines below its entry in tend.yaml that leave a field of a resource to whoever changes it by hand; absent: there are none. */
  ignoreLines?(ref: string, path: string): readonly string[]
  /** The namespace where none is declared; null: this kind has no namespaces. */
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
  /** How long one of its resources may take where nobody says so, ms; absent: as for all kinds. */
  readonly usualTimeout?: number
  /** What its values say of paths is taken from the folder of the file they stand in; where it runs may be among them. */
  placed?(values: Values, folder: string): { readonly values: Values; readonly target?: string }
  /** A list of its own in tend.yaml, for those that come from no source that others share. */
  readonly section?: KindSection
  /** How applications of this kind are found in trees; absent: each one has to be declared. */
  readonly discovery?: KindDiscovery
}

type KindSection = {
  /** The key of the section in tend.yaml. */
  readonly name: string
  readonly description: string
  /** The schema of one entry. */
  readonly entry: z.ZodMiniType
  /** `entry` has passed the schema. `folder`: of the file that it stands in. */
  declared(entry: unknown, folder: string): Omit<Declared, 'at'>
}

type KindDiscovery = {
  /** A folder that holds one of these is such an application; the first that is there counts. */
  readonly files: readonly string[]
  /** The same for trees that docker-cd's variables declare; absent: docker-cd knew no applications of this kind. */
  readonly originFiles?: readonly string[]
  /** The name of the application stands in its file; otherwise it is the name of its folder. */
  readonly isNamedInside: boolean
  /** `folder`: below the discovery's own; `text`: of its file, where that tells the name. */
  nameFrom(folder: string, text: string): string | undefined
  /** What to say where no name can be made. */
  unnamed(path: string): Fault
}

export type OwnField = 'files' | 'profiles' | 'namespace' | 'spec' | 'ignore'

export type Values = Readonly<Record<string, Json>>

export type Fault = { readonly message: string; readonly suggestion?: string | undefined }

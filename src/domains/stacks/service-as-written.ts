/** The part of a service that a spec holds as the user wrote it: the types of the Compose file, in which a text may be sealed. */
import type { Service } from '#formats/compose/schema/file.ts'
import type { Sealed } from '#model/value.ts'

/** What has a field of its own in the spec, says when or how many, or is spent when the model is made. */
export const elsewhere = [
  'attach',
  'build',
  'configs',
  'container_name',
  'depends_on',
  'deploy',
  'develop',
  'env_file',
  'environment',
  'extends',
  'image',
  'label_file',
  'links',
  'networks',
  'profiles',
  'pull_policy',
  'scale',
  'secrets',
  'security_opt',
  'volumes',
  'volumes_from',
] as const satisfies readonly (keyof Service)[]

/** Any text in it may hold a secret. */
export type Sealable<T> = T extends string
  ? T | Sealed
  : T extends readonly (infer Item)[]
    ? readonly Sealable<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Sealable<T[Key]> }
      : T

type Deploy = NonNullable<Service['deploy']>

export type ServiceAsWritten = Sealable<
  Partial<Omit<Service, (typeof elsewhere)[number]>> & {
    readonly deploy?: Partial<Pick<Deploy, 'resources' | 'restart_policy'>>
    readonly environment?: Readonly<Record<string, string>>
    readonly security_opt?: readonly string[]
  }
>

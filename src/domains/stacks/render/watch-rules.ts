/** What `develop.watch` of the services asks for: which paths to watch, and what a change of one does. */
import { isLocalContext } from '#formats/compose/load/paths.ts'
import type { Service } from '#formats/compose/schema/file.ts'
import { isBelow } from '#model/policy.ts'
import { servicesOf, type Stage } from './stage.ts'

type Hook = NonNullable<Service['post_start']>[number]

export type WatchRule = {
  readonly service: string
  /** Absolute; a file or a folder. */
  readonly path: string
  readonly action: string
  /** Where the container has it; '' where nothing is copied. */
  readonly target: string
  /** In the language of `.dockerignore`, relative to the path. */
  readonly include: readonly string[]
  readonly ignore: readonly string[]
  /** Everything is copied before the first change. */
  readonly isCopiedFirst: boolean
  /** Run in the container after a copy. */
  readonly exec: Hook | undefined
  /** The folder that its image is built from, whose `.dockerignore` counts; undefined: it is not built here. */
  readonly context: string | undefined
  /** The container sees the path itself, by a bind mount. */
  readonly isBound: boolean
}

export function watchRules(stage: Stage): readonly WatchRule[] {
  return servicesOf(stage).flatMap(([service, wanted]) =>
    (wanted.develop?.watch ?? []).map((rule) => ({
      service,
      path: rule.path,
      action: rule.action,
      target: rule.target ?? '',
      include: rule.include ?? [],
      ignore: rule.ignore ?? [],
      isCopiedFirst: rule.initial_sync ?? false,
      exec: rule.exec,
      context: contextOf(wanted),
      isBound: isBound(wanted, rule.path),
    })),
  )
}

function contextOf({ build }: Service): string | undefined {
  const { context = '' } = build ?? {}
  return build !== undefined && isLocalContext(context) ? context : undefined
}

function isBound({ volumes = [] }: Service, path: string): boolean {
  return volumes.some(({ type, source = '' }) => type === 'bind' && isBelow(path, source))
}

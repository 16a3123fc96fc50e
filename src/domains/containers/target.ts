/** A target of containers, put together of what its domain does. */
import type { Context, Outputs, Target } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import type { Resource } from '#model/resource.ts'
import type { Confinement } from './confinement.ts'
import { noteCounts } from './image-load.ts'
import { withLeftBehind } from './left-behind.ts'
import type { EngineMemory } from './memory.ts'
import { imagesIn } from './pinned-image.ts'
import { withinSource } from './source-limit.ts'

type TargetParts = Pick<Target, 'observe' | 'look' | 'watch'> & {
  readonly memory: EngineMemory
  /** What an engine may call an image. */
  candidatesOf(image: string): readonly string[]
  /** Called after each look, before anybody asks for gates. */
  seen(wanted: Parameters<Target['observe']>[0]['wanted'], world: World): void
  readonly gates: NonNullable<Target['gates']>
  /** The same world, in which what else a followed application may not have is refused. */
  refuse?(world: World, wanted: readonly Resource[], confinement: Confinement): World
  operate(operation: Operation, context: Context, confinement?: Confinement): Promise<Outputs>
}

type World = Awaited<ReturnType<Target['observe']>>

export type ConfinableTarget = {
  readonly target: Target
  /** The same target for one application that is followed: what it binds is checked on the disk. */
  confined(confinement: Confinement): Target
}

export function targetOf(parts: TargetParts): ConfinableTarget {
  const target: Target = {
    async observe(request) {
      const world = await parts.observe(request)
      parts.seen(request.wanted, world)
      return world
    },
    gates: (wanted, isProven) => parts.gates(wanted, isProven),
    operate: (operation, context) => parts.operate(operation, context),
    look: (ref, subject, gate, signal) => parts.look(ref, subject, gate, signal),
    async images(owner, signal) {
      const look = { owner, wanted: [], refresh: false, isGlance: true, signal, report() {} }
      const world = await parts.observe(look)
      return imagesIn(world, parts.memory.images, (image) => parts.candidatesOf(image))
    },
    watch: (owner, signal) => parts.watch(owner, signal),
  }
  return {
    target,
    confined: (confinement) => ({
      ...target,
      async observe(request) {
        const { wanted, owner } = request
        noteCounts(parts.memory, owner, wanted)
        const seen = withLeftBehind(await parts.observe(request), wanted, confinement)
        const within = withinSource(seen, wanted, confinement, parts.memory.sources)
        const world = parts.refuse?.(within, wanted, confinement) ?? within
        parts.seen(request.wanted, world)
        return world
      },
      async operate(operation, context) {
        const { source, sources, key } = confinement
        // a run that makes something was refused nothing that another source left
        const isMade = operation.verb.endsWith('.create')
        if (isMade && source !== undefined) sources.note(key, source)
        return parts.operate(operation, context, confinement)
      },
    }),
  }
}

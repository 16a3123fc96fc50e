/** The stages of a Dockerfile, and which of them an instruction may mean. */
import type { Dockerfile, Flag, Instruction } from './instruction.ts'
import { NotUnderstood } from './refused.ts'
import { literalOf } from './words.ts'

/** Those that were done before the one of an instruction: their names, and how many there are. */
export type Stages = { readonly names: ReadonlySet<string>; readonly count: number }

/** An instruction never means its own stage: some engines would take an image of that name. */
export function* withStages(
  dockerfile: Dockerfile,
): Iterable<{ readonly one: Instruction; readonly stages: Stages }> {
  const names = new Set<string>()
  let own: string | undefined
  let count = -1
  for (const one of dockerfile) {
    if (one.keyword === 'FROM') {
      if (own !== undefined) names.add(own)
      own = one.stage
      count += 1
      if (own !== undefined && names.has(own)) {
        throw new NotUnderstood(one.line, `a second stage called ${own}`, 'rename one of them')
      }
    }
    yield { one, stages: { names, count: Math.max(count, 0) } }
  }
}

/** Engines differ in whether capitals count in the name of a stage: it is written in small letters wherever a stage is meant. */
export function nameStages(dockerfile: Dockerfile): Dockerfile {
  return Array.from(withStages(dockerfile), ({ one, stages: { names } }): Instruction => {
    const flags = one.flags.map((flag) => named(flag, names))
    if (one.keyword !== 'FROM') return { ...one, flags }
    const image = stageIn(literalOf(one.image), names)
    return { ...one, flags, ...(image === undefined ? {} : { image: [image] }) }
  })
}

function named(flag: Flag, names: ReadonlySet<string>): Flag {
  const { name, value = [], fields } = flag
  const stage = name === 'from' ? stageIn(literalOf(value), names) : undefined
  if (stage !== undefined) return { name, value: [stage] }
  if (fields === undefined) return flag
  const changed = fields.map((field) => {
    const found = field.name === 'from' ? stageIn(field.value, names) : undefined
    return found === undefined ? field : { ...field, value: found }
  })
  return { name, fields: changed }
}

function stageIn(written: string | undefined, names: ReadonlySet<string>): string | undefined {
  const small = written?.toLowerCase() ?? ''
  return names.has(small) ? small : undefined
}

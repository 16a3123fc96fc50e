/**
 * The images that stages start from, by the id of what was looked at. By a name an engine may get another one than was judged: because
 * a registry answers differently the second time, or for another machine.
 */
import type { Dockerfile, Instruction } from './instruction.ts'
import { withStages } from './stages.ts'
import type { Word } from './words.ts'

export type Base = {
  readonly line: number
  readonly image: string
  /** As `linux/arm64`, where the file says for which machine. */
  readonly platform: string | undefined
}

/** Values of what engines set by themselves: TARGETARCH and its like. */
export type MachineValues = Readonly<Record<string, string>>

/** `target`, `build`: as `linux/arm64/v8`. */
export function machineValues(target: string, build: string): MachineValues {
  return { ...valuesOf('TARGET', target), ...valuesOf('BUILD', build) }
}

function valuesOf(prefix: string, platform: string): MachineValues {
  const [os = '', arch = '', variant = ''] = platform.split('/')
  return {
    [`${prefix}PLATFORM`]: platform,
    [`${prefix}OS`]: os,
    [`${prefix}ARCH`]: arch,
    [`${prefix}VARIANT`]: variant,
  }
}

/** Of each FROM in its turn: undefined for a stage, and for one that starts from nothing. */
export function basesOf(
  dockerfile: Dockerfile,
  values: MachineValues,
): readonly (Base | undefined)[] {
  const found: (Base | undefined)[] = []
  for (const { one, stages } of withStages(dockerfile)) {
    if (one.keyword !== 'FROM') continue
    const image = filledIn(one.image, values)
    const isNone = image === 'scratch' || stages.names.has(image.toLowerCase())
    const platform = filledIn(
      one.flags.find(({ name }) => name === 'platform')?.value ?? [],
      values,
    )
    found.push(isNone ? undefined : { line: one.line, image, platform: platform || undefined })
  }
  return found
}

/** `ids`: of each FROM in its turn. For which machine it is, an id says already. */
export function pinned(
  dockerfile: Dockerfile,
  values: MachineValues,
  ids: readonly (string | undefined)[],
): Dockerfile {
  const left = [...ids]
  return dockerfile.map((one): Instruction => {
    if (one.keyword !== 'FROM') return one
    // a stage, written as its own FROM has it
    const image = left.shift() ?? filledIn(one.image, values).toLowerCase()
    return { ...one, image: [image], flags: one.flags.filter(({ name }) => name !== 'platform') }
  })
}

function filledIn(word: Word, values: MachineValues): string {
  const parts = word.map((part) => {
    if (typeof part === 'string') return part
    const value = values[part.name] ?? ''
    if (part.sign === undefined) return value
    const other = filledIn(part.other ?? [], values)
    if (part.sign === ':-') return value === '' ? other : value
    return value === '' ? '' : other
  })
  return parts.join('')
}

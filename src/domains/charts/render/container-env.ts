/** The variables of a container: those of its file, then its own; what is secret is sealed, and so is all that comes from a file. */
import type { Sealed } from '#model/value.ts'
import type { ChartContext } from './chart-context.ts'
import type { Declaration } from './declaration.ts'
import { readEnvFile } from './env-file.ts'
import { bad } from '#formats/schema/rule.ts'
import { fileOf } from './secret-spec.ts'

export function containerEnv(
  container: Declaration<'container'>,
  context: ChartContext,
): Readonly<Record<string, string | Sealed>> {
  const own = new Map(ownEntries(container))
  const values = new Map([...fileEntries(container, context), ...own])
  return Object.fromEntries(
    [...values].map(([name, value]) => [
      name,
      context.secrets.isVariable(name, value, !own.has(name))
        ? context.seal(`${container.ref}#env.${name}`, value)
        : value,
    ]),
  )
}

function ownEntries(container: Declaration<'container'>): readonly (readonly [string, string])[] {
  const seen = new Set<string>()
  return (container.data.env ?? []).map(({ name, value = '' }, index) => {
    if (seen.has(name)) {
      container.report(['env', index, 'name'], bad(`${name} is set twice`, 'keep one of the two'))
    }
    seen.add(name)
    return [name, container.textOf(['env', index, 'value'], value)] as const
  })
}

function fileEntries(
  container: Declaration<'container'>,
  context: ChartContext,
): readonly (readonly [string, string])[] {
  const path = container.data.envFile
  if (path === undefined) return []
  const content = fileOf(path, context)
  if (!(content instanceof Uint8Array)) {
    container.report(['envFile'], content)
    return []
  }
  const { entries, faults } = readEnvFile(Buffer.from(content).toString('utf8'))
  for (const { line, message } of faults) {
    container.report(['envFile'], bad(`line ${line} of ${path} ${message}`))
  }
  return entries
}

/** Fleets that are declared: each with its table, which is where its clusters are declared. */
import { dirname, resolve } from 'node:path'
import type { FleetDeclared } from '#model/declaration.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import { msOf } from './policy.ts'
import type { File } from './sources.ts'
import { troubleOf } from './written.ts'

const usual = { interval: 15 * 60_000, timeout: 10 * 60_000 }

/** Paths are taken from the folder of the file they stand in. */
export function fleetsOf(file: File): readonly FleetDeclared[] {
  const place = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(dirname(file.file), path)
  return (file.data.fleets ?? []).map((data, index) => ({
    name: data.fleet,
    database: place(data.database),
    config: place(data.config),
    interval: msOf(data.interval) ?? usual.interval,
    timeout: msOf(data.timeout) ?? usual.timeout,
    recreates: data.recreate ?? false,
    suspended: data.suspended ?? false,
    at: file.at(['fleets', index]),
  }))
}

export function sameFleets(fleets: readonly FleetDeclared[]): readonly ProblemFacts[] {
  const first = new Map<string, FleetDeclared>()
  return fleets.flatMap((one) => {
    const before = first.get(one.name)
    if (before === undefined) {
      first.set(one.name, one)
      return []
    }
    const also = before.at === undefined ? '' : `, also at ${placeText(before.at)}`
    const message = `fleet:${one.name} is declared twice${also}`
    const suggestion = 'give one of them another name, in its fleet.yaml too'
    return [troubleOf({ code: 'duplicate_name', message, suggestion, at: one.at })]
  })
}

/** The engine that an application runs on. It is kept with each run, so that a later command finds it whatever the shell's environment says then. */
import { realpathSync } from 'node:fs'
import type { EngineAddress, TlsFiles } from '#model/engine-address.ts'
import { wordsFor } from '#kinds/all.ts'
import type { Application } from '#model/application.ts'
import { isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { ApplicationRecord } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext, Memory, Reached } from '../session.ts'

export function engineIn(source: Json | undefined): EngineAddress | undefined {
  const kept = isRecord<Json>(source) ? source['engine'] : undefined
  const record = isRecord<Json>(kept) ? kept : {}
  const { address, tls } = record
  if (typeof address !== 'string') return undefined
  return { address, ...(isRecord<Json>(tls) ? { tls: tlsIn(tls) } : {}) }
}

export function withEngine(source: Json, engine: EngineAddress | undefined): Json {
  if (engine === undefined || (source !== null && !isRecord<Json>(source))) return source
  const { address, tls } = engine
  const kept: JsonRecord = { address, ...(tls === undefined ? {} : { tls: { ...tls } }) }
  return { ...source, engine: kept }
}

/** Whether two addresses are the same engine: one socket may have several names. */
export function isSameEngine(one: EngineAddress, other: EngineAddress): boolean {
  return one.address === other.address || placeIn(one) === placeIn(other)
}

/**
 * The connection of a run. What is installed on one engine is not installed a second time on another because a shell names
 * another: that takes --target.
 */
export async function reachFor(
  application: Application,
  source: Json,
  flags: Flags,
  { session }: Pick<CommandContext, 'session'>,
  { store }: Pick<Memory, 'store'>,
): Promise<{ readonly reached: Reached; readonly before: EngineAddress | undefined }> {
  const known = await store.application(application)
  const before = engineOf(known)
  const found = await session.reach(flags, application.kind, engineIn(source))
  if (before === undefined || flags.target !== undefined) return { reached: found, before }
  if (found.place === undefined) {
    return { reached: await session.reach(flags, application.kind, before), before }
  }
  if (!isSameEngine(found.place, before)) throw elsewhere(application, before, found.place)
  return { reached: found, before }
}

function engineOf(known: ApplicationRecord | undefined): EngineAddress | undefined {
  return known === undefined || known.isUninstalled ? undefined : engineIn(known.source)
}

function elsewhere(application: Application, before: EngineAddress, found: EngineAddress): Problem {
  const { name } = application
  const remove = wordsFor(application).removeCommand?.(application)
  return new Problem({
    type: 'configuration',
    code: 'usage',
    message: `${name} was applied on ${before.address}, and the engine found now is ${found.address}`,
    suggestion: `to go on where it runs, add --target ${before.address}; to have it here instead, ${remove === undefined ? '' : `first ${remove}, or `}add --target ${found.address} and what runs there stays`,
  })
}

/** An engine that an earlier run named, and the user did not, may be gone for good. */
export function whereItWas(problem: Problem, { address }: EngineAddress): Problem {
  if (problem.code !== 'unreachable') return problem
  const { type, code, message, details, recoverable, cause } = problem
  const advice = problem.suggestion === undefined ? '' : `${problem.suggestion}; `
  const shown = message.includes(address) ? message : `${address}: ${message}`
  return new Problem({
    type,
    code,
    message: `${shown} (it was applied there)`,
    suggestion: `${advice}if that engine has moved or is gone for good, name another with --target ADDRESS`,
    details,
    recoverable,
    cause,
  })
}

function placeIn({ address }: EngineAddress): string {
  if (!address.startsWith('unix://')) return address
  try {
    return `unix://${realpathSync(address.slice('unix://'.length))}`
  } catch {
    // a socket that is not there is compared as it is written
    return address
  }
}

function tlsIn(tls: JsonRecord): TlsFiles {
  const { ca, cert, key } = tls
  return {
    ...(typeof ca === 'string' ? { ca } : {}),
    ...(typeof cert === 'string' ? { cert } : {}),
    ...(typeof key === 'string' ? { key } : {}),
    isVerified: tls['isVerified'] !== false,
  }
}

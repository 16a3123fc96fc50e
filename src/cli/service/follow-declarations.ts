/** Reads the declarations of the service, from files and the command line, and reads them again when they change. */
import { listenOf } from '#controller/declare/schema.ts'
import { usualSettings } from '#controller/declare/settings.ts'
import {
  watchDeclarations,
  type DeclarationsChange,
} from '#controller/declare/watch-declarations.ts'
import { loadDeclarations } from '#kinds/all.ts'
import type { Log } from '#model/log.ts'
import type { Controller } from '#controller/open-service.ts'
import type { Declarations } from '#model/declaration.ts'
import { placeText, problemOf, type ProblemFacts } from '#model/problem.ts'
import { usageProblem } from '../arguments/usage.ts'
import { defined } from '#model/defined.ts'

export type Followed = {
  readonly paths: readonly string[]
  readonly now: () => Declarations
  /** Hands every change to the service from now on, by itself or on SIGHUP, until the function that it returns is called. */
  follow(service: Pick<Controller, 'reload'>, log: Log, refuse?: Controller['refuse']): () => void
}

/** `listen` is the flag of the command line. Gives the problems when nothing valid is declared. */
export async function followDeclarations(
  paths: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  listen: string | undefined,
): Promise<Followed | readonly ProblemFacts[]> {
  const address = listen === undefined ? undefined : addressOf(listen)
  let hear: (news: DeclarationsChange) => void = () => undefined
  const kinds = await loadDeclarations()
  const watched = watchDeclarations(paths, environment, kinds, (news) => hear(news))
  const { declarations, problems } = watched.current()
  if (declarations === undefined || problems.length > 0) {
    watched.close()
    return problems
  }
  let now = { ...declarations, listen: { ...declarations.listen, ...address } }

  function adopt(next: Declarations, log: Log): void {
    const changed = (['listen', 'hostFiles', 'log'] as const).filter((key) => {
      const before = key === 'listen' ? defined(declarations).listen : now[key]
      return JSON.stringify(before) !== JSON.stringify(next[key])
    })
    if (changed.length > 0) log('warning', `restart the service for: ${changed.join(', ')}`)
    now = { ...next, listen: now.listen }
    for (const warning of next.warnings) log('warning', warning)
  }

  return {
    paths,
    now: () => now,
    follow(service, log, refuse) {
      for (const warning of watched.current().warnings) log('warning', warning)
      hear = (news) => {
        refuse?.(paths, news.problems)
        for (const problem of news.problems) log('error', problem.message, fieldsOf(problem))
        if (news.problems.length > 0) log('error', 'the declarations stay as they were')
        if (news.problems.length > 0 || news.declarations === undefined) return
        adopt(news.declarations, log)
        service.reload(now).catch((thrown: unknown) => {
          log('error', 'the declarations are not in force', { reason: problemOf(thrown).message })
        })
      }
      const reload = (): void => void watched.reload()
      process.on('SIGHUP', reload)
      return () => {
        process.off('SIGHUP', reload)
        watched.close()
      }
    },
  }
}

/** No files are followed: everything that is declared comes from elsewhere. */
export function followNothing(listen: string | undefined): Followed {
  const address = listen === undefined ? undefined : addressOf(listen)
  const now: Declarations = {
    ...usualSettings,
    apps: [],
    discoveries: [],
    projectName: 'Tend',
    isOrigin: false,
    warnings: [],
    listen: { ...usualSettings.listen, ...address },
  }
  return { paths: [], now: () => now, follow: () => () => undefined }
}

function fieldsOf({ at, suggestion }: ProblemFacts): Parameters<Log>[2] {
  return { at: at && placeText(at), suggestion }
}

function addressOf(text: string): { readonly host: string; readonly port: number } {
  const address = listenOf(text)
  if (address !== undefined) return address
  throw usageProblem(`--listen: ${JSON.stringify(text)} is not an address`, 'write 127.0.0.1:8080')
}

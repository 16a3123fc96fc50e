/** `tend compose watch`: brings a stack up, and has each change of its files reach the containers, as `develop.watch` says. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execIn } from '#clients/docker/exec.ts'
import { restartContainer } from '#clients/docker/containers.ts'
import type { WatchRule } from '#domains/stacks/render/watch-rules.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { Problem, problemOf } from '#model/problem.ts'
import { refuse } from '../../application/refuse.ts'
import type { Flags, Invocation } from '../../arguments/invocation.ts'
import { copiesOf, copyInto } from '../../compose/copy-inside.ts'
import { withProject, type ProjectOnEngine } from '../../compose/project-containers.ts'
import { watchFiles } from '../../compose/watch-files.ts'
import {
  watcherOf,
  workFor,
  type Watcher,
  type ChangeActions,
} from '../../compose/watched-changes.ts'
import type { CommandContext } from '../../session.ts'
import { readStack } from '../../stack/load.ts'
import { applyStack } from './apply.ts'

/** Changes come in bunches: what follows within this time, ms, belongs to the same bunch. */
const settling = 200

export async function composeWatch(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { session, screen, signal } = context
  const { made } = await readStack(flags, session, await session.memory())
  const { rendered } = made
  if (rendered.problems.length > 0) {
    return refuse(rendered.problems, { doing: 'Watching', subject: 'stack' }, flags, context)
  }
  const rules = rulesFor(rendered.watch, words)
  for (const { path } of rules.filter(({ isBound }) => isBound)) {
    screen.note(`${path} is bound into the container, which sees its changes: it is not watched`)
  }
  const watchers = rules.filter(({ isBound }) => !isBound).map((rule) => watcherOf(rule, ignoreIn))
  if (!flags.containers.isUpAlready) {
    const code = await applyStack('Bringing up stack', flags, context)
    if (code !== 0 || signal.aborted) return code
  }
  const first = watchers.filter(({ rule }) => rule.isCopiedFirst)
  await carriedOut(
    workFor(
      first,
      first.map(({ rule }) => rule.path),
    ),
    flags,
    context,
  )
  await watchAndWork(watchers, flags, context)
  return 0
}

/** The rules of the services that were named, or of all services. */
function rulesFor(all: readonly WatchRule[], words: readonly string[]): readonly WatchRule[] {
  const rules = all.filter(({ service }) => words.length === 0 || words.includes(service))
  const lacking = words.find((word) => !rules.some(({ service }) => service === word))
  if (rules.length === 0 || lacking !== undefined) {
    const whose = lacking === undefined ? 'no service of this stack has' : `${lacking} has no`
    throw wrong(
      `${whose} develop.watch`,
      'say what to watch: develop: { watch: [{ path, action }] }',
    )
  }
  for (const { service, action, path, context, target } of rules) {
    if (action === 'rebuild' && context === undefined) {
      throw wrong(`${service} is to be rebuilt when ${path} changes, and has no build`, 'use sync')
    }
    if (action.startsWith('sync') && !target.startsWith('/')) {
      throw wrong(`the target ${target} of ${path} is not absolute`, `write /${target}`)
    }
    if (!existsSync(path)) throw wrong(`${path}, which is to be watched, is not there`, 'make it')
  }
  return rules
}

function wrong(message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'compose_error', message, suggestion })
}

function ignoreIn(folder: string): string {
  const file = join(folder, '.dockerignore')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Works on one bunch of changes after the other, until it is told to stop. */
async function watchAndWork(
  watchers: readonly Watcher[],
  flags: Flags,
  context: CommandContext,
): Promise<void> {
  const { session, screen, signal } = context
  let changed = new Set<string>()
  let wake = new AbortController()
  const files = watchFiles(
    [...new Set(watchers.map(({ rule }) => rule.path))],
    (folder) => watchers.every((one) => one.skips(folder)),
    (path) => {
      if (!watchers.some((one) => one.heeds(path))) return
      changed.add(path)
      wake.abort()
    },
  )
  screen.note('Watch enabled; Ctrl-C ends it.')
  try {
    while (!signal.aborted) {
      await sleepOrStop(session.clock, 600_000, AbortSignal.any([wake.signal, signal]))
      let count = 0
      while (changed.size > count && !signal.aborted) {
        count = changed.size
        await sleepOrStop(session.clock, settling, signal)
      }
      const bunch = changed
      changed = new Set()
      wake = new AbortController()
      if (bunch.size > 0 && !signal.aborted) {
        await carriedOut(workFor(watchers, bunch), flags, context)
      }
    }
  } finally {
    files.close()
  }
}

/** A failure is printed, and the next change is another try. */
async function carriedOut(
  work: ChangeActions,
  flags: Flags,
  context: CommandContext,
): Promise<void> {
  const { screen, signal } = context
  try {
    if (work.rebuild.size > 0) await rebuilt(work, flags, context)
    if (work.copies.size + work.restart.size > 0) {
      await withProject(flags, context, async (project) => {
        await copied(project, work, context)
        await restarted(project, work, context)
        await commandsRun(project, work, context)
        return 0
      })
    }
  } catch (thrown) {
    if (signal.aborted) return
    const { message, details, suggestion } = problemOf(thrown)
    const advice = suggestion === undefined ? [] : [suggestion]
    for (const line of [message, ...details, ...advice]) screen.note(line)
  }
}

async function rebuilt(
  { rebuild }: ChangeActions,
  flags: Flags,
  context: CommandContext,
): Promise<void> {
  context.screen.note(`Rebuilding ${namesOf(rebuild)} after changes were detected`)
  const code = await applyStack('Rebuilding stack', flags, context)
  if (code === 0) context.screen.note(`${namesOf(rebuild)} rebuilt`)
}

async function copied(
  project: ProjectOnEngine,
  { copies }: ChangeActions,
  { screen, signal }: CommandContext,
): Promise<void> {
  for (const [service, paths] of copies) {
    const changes = paths.size === 1 ? '1 change' : `${paths.size} changes`
    screen.note(`Syncing service "${service}" after ${changes}`)
    const all = await copiesOf(paths)
    const running = runningOf(project, service)
    await Promise.all(running.map(({ id }) => copyInto(project.docker, id, all, signal)))
  }
}

async function restarted(
  project: ProjectOnEngine,
  { restart }: ChangeActions,
  { screen, signal }: CommandContext,
): Promise<void> {
  for (const service of restart) {
    const running = runningOf(project, service)
    await Promise.all(
      running.map(({ id }) => restartContainer(project.docker, id, undefined, signal)),
    )
    screen.note(`service "${service}" restarted`)
  }
}

async function commandsRun(
  project: ProjectOnEngine,
  { commands }: ChangeActions,
  { screen, signal }: CommandContext,
): Promise<void> {
  for (const { service, exec } of commands) {
    if (exec === undefined) continue
    const { user, working_dir: folder, privileged, environment = {} } = exec
    const command = exec.command ?? []
    const wish = {
      command,
      user,
      folder,
      isPrivileged: privileged ?? false,
      environment: Object.entries(environment).map(([name, value]) => `${name}=${value ?? ''}`),
      report: (line: string) => screen.note(line),
    }
    for (const { id, name } of runningOf(project, service)) {
      const code = await execIn(project.docker, id, wish, signal)
      if (code !== 0) screen.note(`${command.join(' ')} in ${name} ended with exit code ${code}`)
    }
  }
}

/** Only containers that Tend made or adopted are changed. */
function runningOf({ containers }: ProjectOnEngine, service: string) {
  return containers.filter(
    (one) => one.service === service && one.state === 'running' && one.isOurs && !one.isOneOff,
  )
}

function namesOf(services: ReadonlySet<string>): string {
  return `service${services.size === 1 ? '' : 's'} ${[...services].map((name) => `"${name}"`).join(', ')}`
}

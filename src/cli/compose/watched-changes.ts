/** From the rules of `develop.watch` and the paths that changed: what is to be done for which service. Pure. */
import { join, relative } from 'node:path/posix'
import { dockerIgnore, type Ignored } from '#domains/stacks/dockerignore.ts'
import type { WatchRule } from '#domains/stacks/render/watch-rules.ts'
import { isBelow } from '#model/policy.ts'

export type Watcher = {
  readonly rule: WatchRule
  /** Whether a change of this absolute path counts. */
  readonly heeds: (path: string) => boolean
  /** Whether nothing below this folder counts. */
  readonly skips: (folder: string) => boolean
  /** The path in the container, for rules that copy. */
  readonly inside: (path: string) => string
}

/** What editors and git write beside the files that people mean. */
const passing = `**/.git
**/*~
**/.#*
**/*.swp
**/*.swx
**/4913
**/.goutputstream-*
**/*___jb_tmp___
**/*___jb_old___
**/.DS_Store`

/** `dockerIgnoreOf`: the text of the file of that name in a folder; '' where there is none. */
export function watcherOf(rule: WatchRule, dockerIgnoreOf: (folder: string) => string): Watcher {
  const { path: root, context, ignore, include } = rule
  const [own, wanted] = [dockerIgnore(ignore.join('\n')), dockerIgnore(include.join('\n'))]
  const text = context === undefined ? '' : dockerIgnoreOf(context)
  const ofBuild = dockerIgnore(text)
  const always = dockerIgnore(passing)
  const isIn = (folder: string | undefined, path: string, matches: Ignored): boolean =>
    folder !== undefined &&
    path !== folder &&
    isBelow(path, folder) &&
    matches(relative(folder, path))
  const isIgnored = (path: string): boolean =>
    isIn(root, path, always) || isIn(root, path, own) || isIn(context, path, ofBuild)
  const takesBack = [text, ...ignore].some((line) => /^\s*!/m.test(line))
  return {
    rule,
    heeds: (path) =>
      isBelow(path, root) &&
      !isIgnored(path) &&
      (include.length === 0 || path === root || isIn(root, path, wanted)),
    // something in it may have been taken back
    skips: (folder) => isIn(root, folder, always) || (!takesBack && isIgnored(folder)),
    inside: (path) => (path === root ? rule.target : join(rule.target, relative(root, path))),
  }
}

export type ChangeActions = {
  /** Services whose images are built anew. */
  readonly rebuild: ReadonlySet<string>
  /** What is copied or removed in the containers of each service, each path once. */
  readonly copies: ReadonlyMap<string, ReadonlyMap<string, Watcher>>
  readonly restart: ReadonlySet<string>
  /** Rules whose command is run after the copies. */
  readonly commands: readonly WatchRule[]
}

export function workFor(watchers: readonly Watcher[], changed: Iterable<string>): ChangeActions {
  const paths = [...changed]
  const [rebuild, restart] = [new Set<string>(), new Set<string>()]
  const copies = new Map<string, Map<string, Watcher>>()
  const commands: WatchRule[] = []
  for (const watcher of watchers) {
    const { rule } = watcher
    const heeded = paths.filter((path) => watcher.heeds(path))
    if (heeded.length === 0) continue
    if (rule.action === 'rebuild') rebuild.add(rule.service)
    if (rule.action === 'restart' || rule.action === 'sync+restart') restart.add(rule.service)
    if (rule.action === 'sync+exec') commands.push(rule)
    if (!rule.action.startsWith('sync')) continue
    const own = copies.get(rule.service) ?? new Map<string, Watcher>()
    copies.set(rule.service, own)
    for (const path of heeded) own.set(path, watcher)
  }
  return { rebuild, copies, restart, commands }
}

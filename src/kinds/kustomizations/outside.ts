/** Builds that need charts, functions or other machines. The kustomize that the operator named builds them, from a copy of the files. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '#clients/command/command-error.ts'
import { run } from '#clients/command/run.ts'
import type { Files } from '#formats/kustomize/build.ts'
import { Problem } from '#model/problem.ts'

type OutsideBuild = {
  /** The key of the application. */
  readonly key: string
  readonly revision: string
  /** Writes the files to a folder. */
  readonly copy: (target: string) => Promise<void>
  readonly path: string
  /** What the build needs: `helm`, `function`, or `remote`, for which kustomize takes no flag. */
  readonly needs: string
}

export type Outside = {
  /** What was built from this revision. Only the newest build of each application is kept. */
  find(key: string, revision: string): string | undefined
  /** Throws a problem. */
  build(asked: OutsideBuild, signal: AbortSignal): Promise<void>
}

const longest = 120_000
const words: ReadonlyMap<string, readonly string[]> = new Map([
  ['helm', ['--enable-helm']],
  ['function', ['--enable-alpha-plugins']],
])

export function outsideWith(
  program: string,
  around: Readonly<Record<string, string | undefined>>,
  /** Is called with an application whose build failed: another machine may answer later. */
  missed: (key: string) => void,
): Outside {
  const built = new Map<string, { readonly revision: string; readonly text: string }>()
  return {
    find(key, revision) {
      const known = built.get(key)
      return known?.revision === revision ? known.text : undefined
    },
    async build({ key, revision, path, needs, copy }, signal) {
      const root = await mkdtemp(join(tmpdir(), 'tend-kustomize-'))
      try {
        const home = join(root, 'home')
        await mkdir(home)
        await copy(join(root, 'files'))
        const { output } = await run({
          program,
          arguments: ['build', join(root, 'files', path), ...(words.get(needs) ?? [])],
          environment: { ...passed(around), HOME: home, TMPDIR: root, GIT_TERMINAL_PROMPT: '0' },
          folder: home,
          limit: longest,
          signal,
        })
        built.set(key, { revision, text: output.toString() })
      } catch (thrown) {
        missed(key)
        throw thrown instanceof CommandError ? failed(thrown, program, root) : thrown
      } finally {
        await rm(root, { recursive: true, force: true })
      }
    },
  }
}

/** The files, with what was built in place of the kustomization. */
export function withBuilt(files: Files, folder: string, text: string): Files {
  const inside = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  const own = new Map([
    [inside(names[0]), Buffer.from(`resources: [${result}]\n`)],
    [inside(result), Buffer.from(text)],
  ])
  const others = new Set(names.slice(1).map(inside))
  return {
    read: (path) => own.get(path) ?? (others.has(path) ? undefined : files.read(path)),
    isDirectory: (path) => files.isDirectory(path),
    list(path) {
      const listed = files.list(path)
      if (path !== folder) return listed
      const kept = listed.filter((name) => !others.has(inside(name)))
      return [...new Set([...kept, names[0], result])]
    },
  }
}

const names = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const
const result = 'built-by-kustomize.yaml'

/** Of the service's own environment the program sees only where to find other programs, and proxies. */
function passed(around: Readonly<Record<string, string | undefined>>) {
  const pattern = /^(PATH|LANG|LC_\w+|SSL_CERT_\w+|(https?|no)_proxy)$/i
  return Object.fromEntries(Object.entries(around).filter(([name]) => pattern.test(name)))
}

function failed({ facts }: CommandError, program: string, root: string): Problem {
  const said = facts.errorOutput.replaceAll(`${join(root, 'files')}/`, '').trim()
  const why = facts.hasTimedOut
    ? `it took longer than ${longest / 1000} s`
    : said || `it could not be started (${facts.startFailure ?? 'it ended'})`
  const message = `${program} could not build it: ${why}`
  return new Problem({ type: 'configuration', code: 'bad_value', message })
}

/** Renders a stack from the files of this machine. In a release it is a file of its own, which holds the Compose language. */
import { createHash } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ComposeFiles } from '#formats/compose/load/session.ts'
import type { OpenFile } from '#domains/containers/encrypted-files.ts'
import { renderStack } from '#domains/stacks/render/render.ts'
import type { StackRendered } from '#domains/stacks/stack-input.ts'
import { allowAll } from '#model/policy.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { isRecord } from '#model/json.ts'
import { kindOf } from '#model/ref.ts'
import type { SecretLists } from '#model/secret-variables.ts'
import type { Resource } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import { confinedFiles, outsideAdvice } from '../compose/confined-files.ts'
import { openFiles } from '../compose/open-files.ts'
import { shownFile } from '../compose/problems.ts'
import type { ProjectOptions } from './project-options.ts'
import { defined } from '#model/defined.ts'

export type RenderedFiles = {
  readonly rendered: StackRendered
  /** A hash over all files that were read, and over their places. */
  readonly revision: string
  /** The variables of the environment whose names stand in one of the files. */
  readonly environment: Readonly<Record<string, string>>
}

/** A user who applies a stack may do everything but leave the project: that takes a flag. */
export function renderFiles(
  wishes: ProjectOptions,
  environment: Readonly<Record<string, string>>,
  opened?: OpenFile,
): RenderedFiles {
  const { folder, allowsOutside } = wishes
  const trusted = new Set([...wishes.files, ...wishes.envFiles])
  const kept = keeping(allowsOutside ? openFiles : confinedFiles(folder, trusted))
  const rendered = renderStack({
    load: {
      files: opened === undefined ? kept.files : { ...kept.files, opened },
      workingDirectory: folder,
      projectDirectory: folder,
      configFiles: wishes.files,
      envFiles: wishes.envFiles,
      environment,
      home: environment['HOME'] ?? homedir(),
      profiles: wishes.profiles,
      interpolate: true,
      ...(wishes.name === undefined ? {} : { projectName: wishes.name }),
      ...(allowsOutside ? {} : { confinedTo: folder }),
    },
    ...(wishes.composeVersion === undefined ? {} : { composeVersion: wishes.composeVersion }),
    policy: { ...allowAll, ...listsOf(environment) },
    revision: '',
    scale: wishes.scale,
    seed: new Uint8Array(32),
    list: filesBelow,
    linkAt,
  })
  const revision = kept.revision(folder)
  const resources = rendered.resources.map((one) => withPull(one, wishes))
  return {
    rendered: { ...rendered, ...told(rendered), resources, version: revision },
    revision,
    environment: kept.named(environment),
  }
}

/** What an operator lists in tend.yaml is given in variables when a user applies a stack. */
function listsOf(environment: Readonly<Record<string, string>>): SecretLists {
  const listed = (name: string): readonly string[] =>
    (environment[name] ?? '').split(',').filter((part) => part !== '')
  return {
    harmlessVariables: listed('TEND_HARMLESS_VARIABLES'),
    secretVariables: listed('TEND_SECRET_VARIABLES'),
  }
}

type ReadFiles = {
  readonly files: ComposeFiles
  revision(folder: string): string
  named(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>>
}

/** Remembers which files were read. */
function keeping(files: ComposeFiles): ReadFiles {
  const read = new Map<string, Uint8Array>()
  return {
    files: {
      isDirectory: (path) => files.isDirectory(path),
      leadsOut: (path) => files.leadsOut?.(path),
      read(path) {
        const content = files.read(path)
        if (content !== undefined) read.set(path, content)
        return content
      },
    },
    revision(folder) {
      const hash = createHash('sha256')
      for (const path of [...read.keys()].toSorted()) {
        const shown = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
        const content = defined(read.get(path))
        hash.update(`${Buffer.byteLength(shown)}:${shown}:${content.length}:`).update(content)
      }
      return hash.digest('hex').slice(0, 12)
    },
    named(environment) {
      const texts = [...read.values()].map((content) => Buffer.from(content).toString('latin1'))
      const entries = Object.entries(environment)
      return Object.fromEntries(
        entries.filter(([name]) => texts.some((text) => text.includes(name))),
      )
    },
  }
}

/** When to pull is an option of this run, and no part of what is declared. */
function withPull(resource: Resource, { pull, builds }: ProjectOptions): Resource {
  const { ref, spec } = resource
  if (kindOf(ref) !== 'container' || !isRecord<Value>(spec)) return resource
  const policy = builds === true && 'build' in spec ? 'build' : pull
  return policy === undefined ? resource : { ...resource, spec: { ...spec, pullPolicy: policy } }
}

/** Names places as the user would, and the flag that allows what is refused. */
function told({ problems, warnings }: StackRendered): Pick<StackRendered, 'problems' | 'warnings'> {
  const here = `${process.cwd()}/`
  return {
    problems: inOrder(problems).map((problem): ProblemFacts => {
      const { at, message, suggestion } = problem
      const isOutside = message.includes(' is outside ')
      return {
        ...problem,
        message: message.replace(here, ''),
        ...(at === undefined ? {} : { at: { ...at, file: shownFile(at.file) } }),
        suggestion: isOutside ? outsideAdvice : suggestion,
      }
    }),
    warnings: warnings.map((text) => text.replace(here, '')),
  }
}

/** In the order of lines in each file. Files stay in the order in which they were found. */
function inOrder(problems: readonly ProblemFacts[]): readonly ProblemFacts[] {
  const files = [...new Set(problems.map(({ at }) => at?.file))]
  return problems.toSorted(
    (one, other) =>
      files.indexOf(one.at?.file) - files.indexOf(other.at?.file) ||
      (one.at?.line ?? 0) - (other.at?.line ?? 0) ||
      (one.at?.column ?? 0) - (other.at?.column ?? 0),
  )
}

/** Records of version control are no part of a build context, and a link to a folder is no folder. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return [path]
    return entry.name === '.git' ? [] : filesBelow(path)
  })
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    // it is no link
    return undefined
  }
}

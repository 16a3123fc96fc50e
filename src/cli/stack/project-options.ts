/** Which Compose project is meant and how it is read: from flags, or as it was last applied. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isList, isRecord, type Json, type JsonRecord } from '#model/json.ts'
import type { Flags } from '../arguments/invocation.ts'

/** All paths are absolute. */
export type ProjectOptions = {
  /** Empty: compose.yaml and similar names are looked for, from the folder upwards. */
  readonly files: readonly string[]
  readonly folder: string
  readonly envFiles: readonly string[]
  readonly profiles: readonly string[]
  readonly name: string | undefined
  readonly scale: Readonly<Record<string, number>>
  readonly pull: string | undefined
  readonly builds?: boolean
  readonly usesEnvironment: boolean
  readonly allowsOutside: boolean
  /** The version of docker compose to behave like; undefined: none in particular. */
  readonly composeVersion?: string | undefined
}

const names = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml']

export function projectOptionsOf({ project, stack }: Flags): ProjectOptions {
  const files = project.files.map((file) => resolve(file))
  return {
    files,
    folder: folderOf(project.directory, files),
    envFiles: project.envFiles.map((file) => resolve(file)),
    profiles: project.profiles,
    name: project.name,
    scale: stack.scale,
    pull: stack.pull,
    builds: stack.builds,
    usesEnvironment: stack.usesEnvironment,
    allowsOutside: stack.allowsOutside,
    composeVersion: project.composeVersion,
  }
}

/** The file that a person would name, for headings. */
export function mainFile({ files, folder }: ProjectOptions): string {
  return files[0] ?? names.map((name) => join(folder, name)).find(existsSync) ?? folder
}

/** What is kept with a run in plain text. `path` is what lists show. */
export function sourceOfOptions(wishes: ProjectOptions): JsonRecord {
  const { files, folder, envFiles, profiles, scale, usesEnvironment, allowsOutside } = wishes
  return {
    path: mainFile(wishes),
    files: [...files],
    folder,
    envFiles: [...envFiles],
    profiles: [...profiles],
    scale: { ...scale },
    usesEnvironment,
    allowsOutside,
  }
}

/** The options of the last run, unless others are given now. Undefined when nothing is kept that could be read again. */
export function projectOptionsAgain(
  source: Json | undefined,
  now: ProjectOptions,
): ProjectOptions | undefined {
  if (!isRecord<Json>(source) || typeof source['folder'] !== 'string') return undefined
  const then = { scale: source['scale'] ?? {}, profiles: textsOf(source['profiles']) }
  const envFiles = textsOf(source['envFiles'])
  return {
    ...now,
    files: textsOf(source['files']),
    folder: source['folder'],
    envFiles: now.envFiles.length > 0 ? now.envFiles : envFiles,
    profiles: now.profiles.length > 0 ? now.profiles : then.profiles,
    scale: { ...countsOf(then.scale), ...now.scale },
    usesEnvironment: now.usesEnvironment || source['usesEnvironment'] === true,
    allowsOutside: now.allowsOutside || source['allowsOutside'] === true,
  }
}

function folderOf(directory: string | undefined, files: readonly string[]): string {
  if (directory !== undefined) return resolve(directory)
  const [first] = files
  if (first !== undefined) return dirname(first)
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (names.some((name) => existsSync(join(folder, name)))) return folder
    if (dirname(folder) === folder) return process.cwd()
  }
}

function textsOf(value: Json | undefined): readonly string[] {
  return isList<Json>(value) ? value.filter((item) => typeof item === 'string') : []
}

function countsOf(value: Json): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [name, count] of Object.entries(isRecord<Json>(value) ? value : {})) {
    if (typeof count === 'number') counts[name] = count
  }
  return counts
}

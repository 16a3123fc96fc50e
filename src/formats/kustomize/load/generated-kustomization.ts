/** A folder of manifests without a kustomization gets one: all manifests below it, and folders that have their own. */
import { nearest } from '#formats/schema/suggestion.ts'
import { fail } from '../error.ts'
import type { Files } from './loader.ts'
import { byBytes } from '../yaml/plain.ts'
import { readResources } from './read-resources.ts'
import { newSchemas } from './schemas.ts'

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']

/** The files as they were, or with a kustomization added in the folder. Every YAML file in it must hold objects. */
export function withKustomization(files: Files, folder: string): Files {
  if (!files.isDirectory(folder)) fail(missing(files, folder))
  if (hasKustomization(files, folder)) return files
  const lines = manifestsIn(files, folder, '').map((path) => `- ${JSON.stringify(path)}\n`)
  const text = `resources:${lines.length === 0 ? ' []' : ''}\n${lines.join('')}`
  const path = inside(folder, 'kustomization.yaml')
  const bytes = Buffer.from(text)
  return {
    ...files,
    read: (wanted) => (wanted === path ? bytes : files.read(wanted)),
    isDirectory: (wanted) => files.isDirectory(wanted),
    list: (wanted) =>
      wanted === folder ? [...files.list(wanted), 'kustomization.yaml'] : files.list(wanted),
  }
}

/** With what is there instead. */
function missing(files: Files, folder: string): string {
  const parts = folder.split('/')
  const depth = parts.findIndex(
    (_, index) => !files.isDirectory(parts.slice(0, index + 1).join('/')),
  )
  const parent = parts.slice(0, depth).join('/')
  const there = [...files.list(parent)]
    .filter((name) => files.isDirectory(inside(parent, name)))
    .toSorted(byBytes)
  const meant = nearest(parts[depth] ?? '', there)
  const hint = meant === undefined ? '' : ` (did you mean ${inside(parent, meant)}?)`
  const where = parent === '' ? 'the root' : parent
  const all = there.length === 0 ? 'no folders' : there.slice(0, mostNames).join(', ')
  return `there is no folder ${folder === '' ? '.' : folder}: ${where} has ${all}${hint}`
}

const mostNames = 10

function hasKustomization(files: Files, folder: string): boolean {
  return fileNames.some((name) => {
    const path = inside(folder, name)
    return !files.isDirectory(path) && files.read(path) !== undefined
  })
}

function manifestsIn(files: Files, folder: string, under: string): string[] {
  const here = inside(folder, under)
  return [...files.list(here)].toSorted(byBytes).flatMap((name) => {
    const [path, relative] = [inside(here, name), inside(under, name)]
    if (files.isDirectory(path)) {
      return hasKustomization(files, path) ? [relative] : manifestsIn(files, folder, relative)
    }
    if (!/\.ya?ml$/.test(name)) return []
    readResources(new TextDecoder().decode(files.read(path)), path, newSchemas())
    return [relative]
  })
}

function inside(folder: string, name: string): string {
  if (name === '') return folder
  return folder === '' ? name : `${folder}/${name}`
}

/** `tend kustomize build`: what a kustomization builds, as kustomize prints it. */
import { mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { run } from '#clients/command/run.ts'
import { suggestionFor } from '#domains/kustomizations/render/render.ts'
import { buildKustomization, type Built, type Files } from '#formats/kustomize/build.ts'
import { KustomizeError } from '#formats/kustomize/error.ts'
import { Problem } from '#model/problem.ts'
import type { Flags, Invocation } from '../../arguments/invocation.ts'
import { withRemoteBases } from '../../kustomize/with-remote-bases.ts'
import { splitFiles } from '../../kustomize/split-files.ts'
import type { CommandContext } from '../../session.ts'

export async function kustomizeBuild(
  invocation: Invocation,
  context: CommandContext,
): Promise<number> {
  const { words, flags } = invocation
  const folder = words[0] ?? '.'
  const path = placeOf(folder)
  const near = (text: string): string => fromHere(text).replaceAll(path, folder)
  try {
    const build = (files: Files) => buildKustomization({ files, path, options: flags.kustomize })
    const built = await withRemoteBases(path, build, context)
    for (const warning of built.warnings) context.screen.note(`Warning: ${near(warning)}`)
    put(built, flags, context)
    return 0
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error
    const program = context.session.environment['TEND_KUSTOMIZE'] ?? ''
    if (error.needs === undefined || program === '') throw problemOf(error, near)
    return await buildOutside(program, error.needs, folder, flags, context)
  }
}

/** The path without its leading slash. Bases on other machines stay as they are, so that the refusal names them as written. */
function placeOf(folder: string): string {
  try {
    return realpathSync(folder).slice(1)
  } catch {
    // a base of another machine, a place that may not be followed, or nothing at all
    if (/^\w+:|@/.test(folder)) return folder
    if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return resolve(folder).slice(1)
    throw new Problem({
      type: 'configuration',
      code: 'not_found',
      message: `there is no folder ${folder}`,
      suggestion: 'give the folder of a kustomization.yaml: tend kustomize build FOLDER',
    })
  }
}

function put(built: Built, { kustomize: { output } }: Flags, { screen }: CommandContext): void {
  if (output === undefined) {
    if (built.text !== '') screen.print([built.text.replace(/\n$/, '')])
    return
  }
  if (!isFolder(output)) return writeFileSync(output, built.text)
  for (const [name, text] of splitFiles(built)) writeFileSync(join(output, name), text)
}

function isFolder(path: string): boolean {
  if (path.endsWith('/')) mkdirSync(path, { recursive: true })
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** What this builder can't do is done by the program that the operator named. */
async function buildOutside(
  program: string,
  needs: NonNullable<KustomizeError['needs']>,
  folder: string,
  { kustomize }: Flags,
  { screen, signal }: CommandContext,
): Promise<number> {
  const more =
    needs === 'helm' ? ['--enable-helm'] : needs === 'function' ? ['--enable-alpha-plugins'] : []
  const order = kustomize.reorder === 'unspecified' ? [] : ['--reorder', kustomize.reorder]
  const output = kustomize.output === undefined ? [] : ['-o', kustomize.output]
  const words = ['build', folder, '--load-restrictor', kustomize.loadRestrictor]
  const ran = await run({
    program,
    arguments: [...words, ...order, ...output, ...more],
    signal,
    limit: 600_000,
  })
  const text = ran.output.toString()
  if (text !== '') screen.print([text.replace(/\n$/, '')])
  return 0
}

function problemOf(
  { reason, file, line, needs }: KustomizeError,
  near: (text: string) => string,
): Problem {
  const at = file === undefined ? undefined : { file: shown(file), line: line ?? 1, column: 1 }
  return new Problem({
    type: 'configuration',
    code: needs === undefined ? 'bad_value' : 'unsupported',
    message: near(reason),
    at,
    suggestion: needs === undefined ? undefined : suggestionFor(needs),
  })
}

/** The path as a person in this folder would write it. */
function shown(file: string): string {
  const near = relative(process.cwd(), `/${file}`)
  return near.startsWith('../../../') ? `/${file}` : near
}

function fromHere(words: string): string {
  return words.replaceAll(`${process.cwd().slice(1)}/`, '')
}

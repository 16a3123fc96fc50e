/** `tend compose plan`: what `up` would do, field by field, and why. */
import type { Flags, Invocation } from '../../arguments/invocation.ts'
import type { CommandContext } from '../../session.ts'
import { applyStack } from './apply.ts'

export function composePlan({ flags }: Invocation, context: CommandContext): Promise<number> {
  return applyStack('Planning stack', { ...flags, isDryRun: true }, context, {
    explains: true,
    apply: `Apply with: tend up${wordsOf(flags)}`,
  })
}

function wordsOf(flags: Flags): string {
  const { project, stack } = flags
  const words = [
    ...project.files.map((file) => `-f ${file}`),
    ...(project.name === undefined ? [] : [`-p ${project.name}`]),
    ...(project.directory === undefined ? [] : [`--project-directory ${project.directory}`]),
    ...project.envFiles.map((file) => `--env-file ${file}`),
    ...project.profiles.map((profile) => `--profile ${profile}`),
    ...Object.entries(stack.scale).map(([name, count]) => `--scale ${name}=${count}`),
    ...(stack.usesEnvironment ? ['--use-env'] : []),
    ...(stack.allowsOutside ? ['--allow-outside'] : []),
    ...(stack.adopts ? ['--adopt'] : []),
    ...(flags.pruneVolumes ? ['--prune-volumes'] : []),
    ...(flags.recreateVolumes ? ['--recreate-volumes'] : []),
    ...(flags.allowEmpty ? ['--allow-empty'] : []),
    ...(flags.allowMassDelete ? ['--allow-mass-delete'] : []),
  ]
  return words.map((word) => ` ${word}`).join('')
}

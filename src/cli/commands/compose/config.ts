/** `tend compose config`: the resolved model of a Compose file, as docker compose prints it. */
import { homedir } from 'node:os'
import { ComposeError } from '#formats/compose/compose-error.ts'
import { releaseOf } from '#formats/compose/canonical/release.ts'
import { loadCompose, type Loaded, type LoadOptions } from '#formats/compose/load/load.ts'
import type { Flags, Invocation } from '../../arguments/invocation.ts'
import { configText } from '../../compose/config-text.ts'
import { composeVersionOf } from '../../compose/compose-version.ts'
import { openFiles } from '../../compose/open-files.ts'
import { variablesOf } from '../../compose/variables.ts'
import { composeProblems } from '../../compose/problems.ts'
import { tellProblems } from '../../failure.ts'
import type { CommandContext } from '../../session.ts'

export async function composeConfig(
  { flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { screen } = context
  try {
    const version = await composeVersionOf(flags, context.session)
    const release = releaseOf(version ?? '')
    const like = release === undefined ? {} : { release }
    const loaded = loadCompose({ ...openOptions(flags, context), ...like })
    const lines = linesOf(loaded, flags)
    for (const warning of loaded.warnings) screen.note(`Warning: ${warning}`)
    if (!flags.config.isQuiet) screen.print(lines)
    return 0
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error
    return tellProblems(composeProblems(error), screen)
  }
}

function linesOf(loaded: Loaded, { config, format }: Flags): readonly string[] {
  const services = Object.keys(Object(loaded.printed['services'])).toSorted()
  if (config.services) return services
  if (config.hashes) {
    const hashes = loaded.hashes()
    return services.map((name) => `${name} ${hashes[name]}`)
  }
  const asked = config.format ?? (format === 'json' ? 'json' : 'yaml')
  return [configText(loaded, { format: asked, interpolates: config.interpolates })]
}

/** Options as docker compose has them: the whole environment is seen, and files may be anywhere. */
function openOptions({ project, config }: Flags, { session }: CommandContext): LoadOptions {
  const environment = variablesOf(session.environment)
  return {
    files: openFiles,
    workingDirectory: process.cwd(),
    configFiles: project.files,
    envFiles: project.envFiles,
    environment,
    home: environment['HOME'] ?? homedir(),
    profiles: project.profiles,
    interpolate: config.interpolates,
    normalize: config.normalizes,
    checkConsistency: config.checks,
    resolvePaths: config.resolvesPaths,
    ...(project.directory === undefined ? {} : { projectDirectory: project.directory }),
    ...(project.name === undefined ? {} : { projectName: project.name }),
  }
}

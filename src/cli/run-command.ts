/** Finds the command for an invocation and runs it. It is loaded only when there is something to do. */
import { allKinds } from '#kinds/all.ts'
import { Problem } from '#model/problem.ts'
import type { Invocation } from './arguments/invocation.ts'
import { tellFailure } from './failure.ts'
import { screenOf, type Streams } from './screen.ts'
import type { Command, CommandContext, Session } from './session.ts'

export type World = {
  readonly streams: Streams
  readonly session: Session
  readonly signal: AbortSignal
}

const stopping = 'Stopping: what is under way is brought to an end. Ctrl-C again leaves at once.'

/** Gives the exit code. Whatever goes wrong is printed in the format that was asked for. */
export async function runCommand(invocation: Invocation, world: World): Promise<number> {
  const { flags, verb } = invocation
  const { session, signal } = world
  const colours = { isWanted: flags.hasColor, environment: session.environment }
  const screen = screenOf(world.streams, flags.format, colours)
  const context: CommandContext = { session, screen, signal }
  signal.addEventListener('abort', () => screen.note(stopping), { once: true })
  try {
    const command = await commandOf(verb)
    if (verb.startsWith('fleet ') && flags.fleet.report !== undefined) {
      return await (await import('./fleet/reported.ts')).reported(command, invocation, context)
    }
    return await command(invocation, context)
  } catch (thrown) {
    return await tellFailure(
      signal.aborted ? interruption(thrown) : thrown,
      screen,
      flags.isVerbose,
      allKinds.find(({ verbGroup }) => verb.split(' ')[0] === verbGroup)?.name,
    )
  } finally {
    await session.close()
  }
}

function interruption(thrown: unknown): Problem {
  return new Problem({
    type: 'runtime',
    code: 'interrupted',
    message: 'interrupted',
    cause: thrown,
  })
}

async function commandOf(verb: Invocation['verb']): Promise<Command> {
  switch (verb) {
    case 'install':
      return (await import('./commands/install.ts')).install
    case 'upgrade':
      return (await import('./commands/upgrade.ts')).upgrade
    case 'uninstall':
      return (await import('./commands/uninstall.ts')).uninstall
    case 'plan':
      return (await import('./commands/plan.ts')).plan
    case 'status':
      return (await import('./commands/status.ts')).status
    case 'list':
      return (await import('./commands/list.ts')).list
    case 'history':
      return (await import('./commands/history.ts')).history
    case 'rollback':
      return (await import('./commands/rollback.ts')).rollback
    case 'logs':
      return (await import('./commands/logs.ts')).logs
    case 'watch':
      return (await import('./commands/watch.ts')).watch
    case 'reinit':
      return (await import('./commands/reinit.ts')).reinit
    case 'create':
      return (await import('./commands/create.ts')).create
    case 'lint':
      return (await import('./commands/lint.ts')).lint
    case 'template':
      return (await import('./commands/template.ts')).template
    case 'schema':
      return (await import('./commands/schema.ts')).schema
    case 'completion':
      return (await import('./commands/completion.ts')).completion
    case 'version':
      return (await import('./commands/version.ts')).version
    case 'doctor':
      return (await import('./commands/doctor.ts')).doctor
    case 'explain':
      return (await import('./commands/explain.ts')).explain
    case 'upgrade-check':
      return (await import('./commands/upgrade-check.ts')).upgradeCheck
    case 'licenses':
      return (await import('./commands/licenses.ts')).licenses
    case 'serve':
      return (await import('#cli/commands/serve.ts')).serve
    case 'get':
      return (await import('#cli/commands/service-verbs.ts')).get
    case 'sync':
      return (await import('#cli/commands/service-verbs.ts')).sync
    case 'ack':
      return (await import('#cli/commands/service-verbs.ts')).ack
    case 'forget':
      return (await import('#cli/commands/service-verbs.ts')).forget
    case 'suspend':
      return (await import('#cli/commands/service-verbs.ts')).suspend
    case 'resume':
      return (await import('#cli/commands/service-verbs.ts')).resume
    case 'diff':
      return (await import('#cli/commands/service-verbs.ts')).diff
    case 'db':
      return (await import('./commands/db.ts')).db
    case 'audit':
      return (await import('#cli/commands/service-verbs.ts')).audit
    case 'login':
      return (await import('./commands/login.ts')).login
    case 'token':
      return (await import('#cli/commands/service-verbs.ts')).token
    case 'compose up':
      return (await import('./commands/compose/up.ts')).composeUp
    case 'compose down':
      return (await import('./commands/compose/down.ts')).composeDown
    case 'compose plan':
      return (await import('./commands/compose/plan.ts')).composePlan
    case 'compose status':
      return (await import('./commands/compose/status.ts')).composeStatus
    case 'compose logs':
      return (await import('./commands/compose/logs.ts')).composeLogs
    case 'compose history':
      return (await import('./commands/compose/history.ts')).composeHistory
    case 'compose rollback':
      return (await import('./commands/compose/rollback.ts')).composeRollback
    case 'compose config':
      return (await import('#cli/commands/compose/config.ts')).composeConfig
    case 'compose ps':
      return (await import('./commands/compose/ps.ts')).composePs
    case 'compose images':
      return (await import('./commands/compose/images.ts')).composeImages
    case 'compose pull':
      return (await import('./commands/compose/images.ts')).composePull
    case 'compose top':
      return (await import('./commands/compose/top.ts')).composeTop
    case 'compose start':
      return (await import('./commands/compose/power.ts')).composeStart
    case 'compose stop':
      return (await import('./commands/compose/power.ts')).composeStop
    case 'compose restart':
      return (await import('./commands/compose/power.ts')).composeRestart
    case 'compose exec':
      return (await import('./commands/compose/exec.ts')).composeExec
    case 'compose run':
      return (await import('./commands/compose/run.ts')).composeRun
    case 'compose watch':
      return (await import('./commands/compose/watch.ts')).composeWatch
    case 'kustomize build':
      return (await import('./commands/kustomize/build.ts')).kustomizeBuild
    case 'fleet init':
      return (await import('./commands/fleet/init.ts')).fleetInit
    case 'fleet add':
      return (await import('./commands/fleet/add.ts')).fleetAdd
    case 'fleet rm':
      return (await import('./commands/fleet/rm.ts')).fleetRemove
    case 'fleet list':
      return (await import('./commands/fleet/list.ts')).fleetList
    case 'fleet reconcile':
      return (await import('./commands/fleet/reconcile.ts')).fleetReconcile
    case 'fleet bootstrap':
      return (await import('./commands/fleet/bootstrap.ts')).fleetBootstrap
    case 'fleet validate':
      return (await import('./commands/fleet/validate.ts')).fleetValidate
    case 'fleet clean':
      return (await import('./commands/fleet/clean.ts')).fleetClean
    case 'fleet regress':
      return (await import('./commands/fleet/regress.ts')).fleetRegress
    case 'fleet start':
      return (await import('./commands/fleet/power.ts')).fleetStart
    case 'fleet stop':
      return (await import('./commands/fleet/power.ts')).fleetStop
    case 'fleet kubeconfig':
      return (await import('./commands/fleet/kubeconfig.ts')).fleetKubeconfig
    case 'fleet set':
      return (await import('./commands/fleet/set.ts')).fleetSet
    case 'fleet export':
      return (await import('./commands/fleet/export.ts')).fleetExport
    case 'fleet import':
      return (await import('./commands/fleet/export.ts')).fleetImport
    case 'fleet adopt':
      return (await import('./commands/fleet/adopt.ts')).fleetAdopt
    case 'kube install':
      return (await import('#cli/kube/verbs.ts')).kubeInstall
    case 'kube check':
      return (await import('#cli/kube/verbs.ts')).kubeCheck
    case 'fleet verify':
      return (await import('./commands/fleet/verify.ts')).fleetVerify
  }
}

/** `tend compose run`: one command in a container of its own, with the image, networks, volumes and variables of a service. */
import { randomBytes } from 'node:crypto'
import { attachedContainer } from '#clients/docker/attached-exec.ts'
import { removeContainer, startContainer } from '#clients/docker/containers.ts'
import { listNetworks } from '#clients/docker/networks.ts'
import { createOneOff } from '#domains/stacks/operate/one-off.ts'
import { serviceSpecOf } from '#domains/stacks/spec-of.ts'
import { refOf } from '#model/ref.ts'
import { Problem } from '#model/problem.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { refuse } from '../../application/refuse.ts'
import { withProject, type ProjectOnEngine } from '../../compose/project-containers.ts'
import type { CommandContext } from '../../session.ts'
import { loadStack } from '../../stack/load.ts'
import type { ServiceSpec } from '#domains/stacks/spec.ts'

export async function composeRun(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { session, screen, signal } = context
  const [service = '', ...command] = words
  const { rendered, shown } = await loadStack(flags, session, await session.memory())
  if (rendered.problems.length > 0) {
    return refuse(rendered.problems, { doing: 'Running', subject: shown }, flags, context)
  }
  const wanted = rendered.resources.find(({ ref }) => ref === refOf('container', `${service}-1`))
  if (wanted === undefined) {
    const message = `no such service: ${service}`
    throw new Problem({ type: 'configuration', code: 'not_found', message })
  }
  const spec = serviceSpecOf(wanted.spec)
  const { hasNoTerminal, hasInput, isDetached, ...how } = flags.containers
  const isTerminal =
    !hasNoTerminal && !isDetached && process.stdin.isTTY === true && process.stdout.isTTY === true
  return withProject(flags, context, async (project) => {
    const { docker } = project
    await assertUp(project, spec, how.hasNoDependencies, signal)
    const slug = randomBytes(6).toString('hex')
    const name = flags.service.name ?? `${project.name}-${service}-run-${slug}`
    const wish = { ...how, name, command, isTerminal, hasInput: hasInput && !isDetached }
    screen.note(` Container ${name} Creating`)
    const id = await createOneOff(
      docker,
      wanted.spec,
      wish,
      (secret) => rendered.vault.open(secret),
      signal,
    )
    screen.note(` Container ${name} Created`)
    if (isDetached) {
      await startContainer(docker, id, signal)
      screen.print([id])
      return 0
    }
    try {
      const streams = { input: process.stdin, output: process.stdout, errors: process.stderr }
      return await attachedContainer(docker, id, { ...streams, isTerminal, hasInput }, signal)
    } finally {
      const never = new AbortController().signal
      if (how.isRemoved) await removeContainer(docker, id, true, never)
    }
  })
}

/** docker compose would start the services that this one needs. Here only `tend up` starts services, because it waits until they are healthy. */
async function assertUp(
  { docker, containers }: ProjectOnEngine,
  { networks, about }: ServiceSpec,
  isAlone: boolean,
  signal: AbortSignal,
): Promise<void> {
  const there = new Set((await listNetworks(docker, [], signal)).map(({ name }) => name))
  const network = networks.find((one) => !there.has(one.network))?.network
  const needs = about.dependsOn.split(',').flatMap((one) => one.split(':')[0] || [])
  const isUp = (need: string): boolean =>
    containers.some(({ service, state }) => service === need && state !== 'created')
  const lacking = isAlone ? undefined : needs.find((need) => !isUp(need))
  if (network === undefined && lacking === undefined) return
  throw new Problem({
    type: 'runtime',
    code: 'not_found',
    message:
      network === undefined
        ? `${about.service} depends on ${lacking ?? ''}, which is not there`
        : `network ${network} is not there`,
    suggestion: `bring the stack up first: tend up${network === undefined ? '; or leave that out with --no-deps' : ''}`,
  })
}

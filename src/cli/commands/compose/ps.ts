/** `tend compose ps`: the containers of a stack, in the columns of docker compose ps. */
import { exitCodeIn, healthIn } from '#clients/docker/container-list.ts'
import { numberOf, recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import { mask, withoutSecretShapes } from '#model/secret-shapes.ts'
import { recordedOf } from '#domains/containers/record.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { age, aligned } from '../../compose/columns.ts'
import {
  labelsOf,
  ofServices,
  portsText,
  withProject,
  type ProjectContainer,
} from '../../compose/project-containers.ts'
import type { CommandContext } from '../../session.ts'

/** The layout of Docker's own tables. */
const layout = { least: 10, padding: 3 }

export function composePs({ words, flags }: Invocation, context: CommandContext): Promise<number> {
  const { all, states, isWhole } = flags.containers
  const { isQuiet, services, format } = flags.config
  return withProject(flags, context, async (project) => {
    const { screen } = context
    const listed = ofServices(project, words).filter(({ state, isOneOff }) =>
      states.length > 0
        ? states.includes(state)
        : all || (!isOneOff && ['running', 'paused', 'restarting'].includes(state)),
    )
    if (isQuiet) screen.print(listed.map(({ id }) => id))
    else if (services) screen.print([...new Set(listed.map(({ service }) => service))])
    else {
      const now = context.session.clock.now()
      const rows = listed.map((one) => rowOf(one, project.name, now, isWhole))
      if (format === 'json') screen.print(rows.map((row) => JSON.stringify(row)))
      else if (screen.format !== 'table') await screen.document({ containers: rows })
      else screen.print(aligned([[...head], ...rows.map(cells)], layout))
    }
    return 0
  })
}

const head = ['NAME', 'IMAGE', 'COMMAND', 'SERVICE', 'CREATED', 'STATUS', 'PORTS'] as const

function cells(row: JsonRecord): readonly string[] {
  const { Name, Image, Command, Service, RunningFor, Status, Ports } = row
  return [Name, Image, Command, Service, RunningFor, Status, Ports].map(textOf)
}

/** The fields have the names of docker compose's JSON. */
function rowOf(
  { id, name, service, state, item }: ProjectContainer,
  project: string,
  now: number,
  isWhole: boolean,
): JsonRecord {
  const status = textOf(item['Status'])
  const created = numberOf(item['Created'])
  const mounts = recordsOf(item['Mounts'])
  return {
    Command: JSON.stringify(isWhole ? textOf(item['Command']) : cut(textOf(item['Command']))),
    CreatedAt: `${new Date(created * 1000).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`,
    Engine: '',
    ExitCode: exitCodeIn(status) ?? 0,
    Health: healthIn(status) ?? '',
    ID: isWhole ? id : id.slice(0, 12),
    Image: textOf(item['Image']),
    Labels: Object.entries(shownLabels(labelsOf(item)))
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
    LocalVolumes: String(mounts.filter((mount) => mount['Driver'] === 'local').length),
    Mounts: mounts.map((mount) => textOf(mount['Name']) || textOf(mount['Source'])).join(','),
    Name: name,
    Names: name,
    Networks: Object.keys(recordOf(recordOf(item['NetworkSettings'])['Networks'])).join(','),
    Ports: portsText(item),
    Project: project,
    Publishers: recordsOf(item['Ports']).map((port) => ({
      URL: textOf(port['IP']),
      TargetPort: numberOf(port['PrivatePort']),
      PublishedPort: numberOf(port['PublicPort']),
      Protocol: textOf(port['Type']),
    })),
    RunningFor: `${age(now - created * 1000)} ago`,
    Service: service,
    Size: '0B',
    State: state,
    Status: status,
  }
}

const longest = 20

function cut(command: string): string {
  return command.length <= longest ? command : `${command.slice(0, longest - 1)}…`
}

/** A label that the container's own record keeps as a secret, and whatever has the shape of one, is not told. */
function shownLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const recorded = recordOf(recordOf(recordOf(recordedOf(labels)?.spec)['service'])['labels'])
  const isSealed = (name: string): boolean =>
    recorded[name] !== undefined && typeof recorded[name] !== 'string'
  const shown = Object.entries(labels).map(([name, value]) => {
    return [name, isSealed(name) ? mask : withoutSecretShapes(value)] as const
  })
  return Object.fromEntries(shown)
}

/** What an engine tells of one container, in the port's words: Docker's API and libpod's tell it alike. */
import { numberOf, recordOf, recordsOf, textMapOf, textOf } from '#model/read-json.ts'
import type {
  Endpoint,
  InspectedContainer,
  InspectedEndpoint,
  InspectedHealth,
  PortBinding,
} from '#model/container-engine.ts'
import type { JsonRecord } from '#model/json.ts'
import { answeredAt } from './calls.ts'

/** `endpointIn` gives how the container is on a network, in the form in which this API takes it when the container is connected again. */
export function inspectionOf(
  found: JsonRecord,
  endpointIn: (network: JsonRecord, id: string) => Endpoint,
): InspectedContainer {
  const [config, state] = [recordOf(found['Config']), recordOf(found['State'])]
  const id = textOf(found['Id'])
  const { Networks: networks } = recordOf(found['NetworkSettings'])
  return {
    id,
    name: textOf(found['Name']).replace(/^\//, ''),
    labels: textMapOf(config['Labels']),
    imageId: textOf(found['Image']).replace(/^sha256:/, ''),
    state: textOf(state['Status']),
    isRunning: state['Running'] === true,
    exitCode: numberOf(state['ExitCode']),
    startError: textOf(state['Error']),
    pid: numberOf(state['Pid']),
    createdAt: Date.parse(textOf(found['Created'])),
    startedAt: Date.parse(textOf(state['StartedAt'])),
    ...aheadIn(found),
    restartCount: numberOf(found['RestartCount']),
    health: healthIn(recordOf(state['Health'])),
    hasCheck: hasCheck(recordOf(config['Healthcheck'])),
    networks: mapped(recordOf(networks), (value) => {
      const network = recordOf(value)
      return { ...addressesIn(network), endpoint: endpointIn(network, id) }
    }),
    bindings: mapped(recordOf(recordOf(found['HostConfig'])['PortBindings']), bindingsIn),
  }
}

/** The time of an answer is told in seconds, and it took a while to come: less than that says nothing, ms. */
const leastAhead = 5_000

function aheadIn(found: JsonRecord): Pick<InspectedContainer, 'ahead'> {
  const ahead = Date.parse(textOf(found[answeredAt])) - Date.now()
  return Math.abs(ahead) >= leastAhead ? { ahead } : {}
}

function mapped<Value>(
  fields: JsonRecord,
  valueOf: (value: unknown) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, valueOf(value)]))
}

function healthIn(health: JsonRecord): InspectedHealth {
  const last = recordsOf(health['Log']).at(-1)
  return {
    status: textOf(health['Status']),
    failingStreak: numberOf(health['FailingStreak']),
    last: last && {
      endedAt: Date.parse(textOf(last['End'])),
      exitCode: numberOf(last['ExitCode']),
      output: textOf(last['Output']),
    },
  }
}

/** Whether there is a health check, of the container or of its image. */
function hasCheck({ Test: test }: JsonRecord): boolean {
  return Array.isArray(test) && test.length > 0 && test[0] !== 'NONE'
}

function addressesIn(network: JsonRecord): Omit<InspectedEndpoint, 'endpoint'> {
  const addresses = [textOf(network['IPAddress']), textOf(network['GlobalIPv6Address'])]
  return {
    addresses: addresses.filter((address) => address !== ''),
    mac: textOf(network['MacAddress']),
  }
}

function bindingsIn(value: unknown): readonly PortBinding[] {
  return recordsOf(value).map((binding) => ({
    hostIP: textOf(binding['HostIp']),
    hostPort: Number(textOf(binding['HostPort'])),
  }))
}

/** A row and everything that is declared beside it, as columns: how they are shown, and what changing one means. Pure. */
import { faultsOf, isProvider } from '#domains/fleet/render/row-rules.ts'
import { unseen } from '#domains/fleet/registrations/table-rows.ts'
import { withValues } from '#domains/fleet/set-values.ts'
import type { DeclaredCluster, NewCluster } from '#model/clusters.ts'
import { canonical, type Json, type JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { hiddenConfig } from './hidden-config.ts'

/** Null: nothing is declared in that column. */
export function columnsShown(cluster: DeclaredCluster): JsonRecord {
  const { provider, desired, subnet, nodePort, registrations, settings } = cluster
  const { httpPort = null, httpsPort = null, pfPort = null } = cluster
  const { route, portainer, argocd, git } = registrations
  const { image, version, apiAddress, servers, agents, config } = settings
  return {
    provider,
    desired_state: desired,
    http_port: httpPort,
    https_port: httpsPort,
    pf_port: pfPort,
    node_port: nodePort,
    subnet,
    route,
    portainer,
    argocd,
    git,
    image: image ?? null,
    version: version ?? null,
    api_address: apiAddress ?? null,
    servers: servers ?? null,
    agents: agents ?? null,
    config: config === undefined ? null : hiddenConfig(config),
  }
}

/** Null takes back what was set. A column that is left out stays as it is, and so does one that is sent back as it was shown. */
export function withColumns(cluster: DeclaredCluster, columns: JsonRecord): DeclaredCluster {
  return Object.entries(columns).reduce(
    (changed, [column, value]) => withColumn(changed, column, value),
    cluster,
  )
}

/** Ports that are left out are given by the table. */
export function newCluster(name: string, { provider = null, ...columns }: JsonRecord): NewCluster {
  const blank: DeclaredCluster = {
    name,
    provider: typeof provider === 'string' ? provider : '',
    desired: 'present',
    subnet: null,
    nodePort: null,
    pfPort: null,
    httpPort: null,
    httpsPort: null,
    registrations: { route: true, portainer: true, argocd: true, git: true },
    settings: {},
  }
  if (provider === null) {
    throw wrong(`${name}: a cluster needs a provider`, 'say kind, k3d, kwok or existing')
  }
  const bare = { ...unseen, ...blank, pfPort: null, httpPort: null, httpsPort: null }
  const [fault] = faultsOf(bare)
  if (fault !== undefined || !isProvider(blank.provider)) {
    throw wrong(fault?.message ?? `${blank.provider} is no provider`, fault?.suggestion ?? '')
  }
  const said = withColumns(blank, columns)
  if (said.desired !== 'present') {
    throw wrong(`${name}: a new row says present`, 'leave desired_state out')
  }
  const given = <Port>(column: string, port: Port): Port | undefined =>
    Object.hasOwn(columns, column) ? port : undefined
  return {
    name,
    provider: blank.provider,
    nodePort: given('node_port', said.nodePort),
    pfPort: given('pf_port', said.pfPort),
    httpPort: given('http_port', said.httpPort),
    httpsPort: given('https_port', said.httpsPort),
    subnet: said.subnet,
    registrations: said.registrations,
    settings: said.settings,
  }
}

function withColumn(cluster: DeclaredCluster, column: string, value: Json): DeclaredCluster {
  const { name, provider } = cluster
  switch (column) {
    case 'name':
      if (value === name) return cluster
      throw wrong(`a row keeps its name, ${name}`, 'remove it, and add another one')
    case 'provider':
      if (value === provider) return cluster
      throw wrong(
        `${name} is made by ${provider}, and that can't be changed`,
        'remove it, and add another one when it is gone',
      )
    case 'desired_state':
      return { ...cluster, desired: textOf(column, value) }
    case 'config':
    case 'api_address':
      if (canonical(value) === canonical(columnsShown(cluster)[column] ?? null)) return cluster
      throw ofTheHost(name, column)
    default:
      if (column.startsWith('config.')) throw ofTheHost(name, 'config')
      return withValues(cluster, [`${column}=${textOf(column, value)}`])
  }
}

/** Whoever changes rows over the network is not the operator of this host, so what reaches the host has to be set on the host itself. */
function ofTheHost(name: string, column: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'denied',
    message: `${name}: ${column} reaches this host, and is not set over HTTP`,
    suggestion: `set it on the host: tend fleet set ${name} ${column === 'config' ? 'config.PATH' : column}=VALUE`,
  })
}

function textOf(column: string, value: Json): string {
  if (value === null) return ''
  if (typeof value !== 'object') return String(value)
  throw wrong(`${column} takes one value`, 'write a text, a number, yes or no, or null')
}

function wrong(message: string, suggestion: string): Problem {
  return new Problem({ type: 'configuration', code: 'usage', message, suggestion })
}

/** The rows of an environments.csv, which a fleet of old was written in: read on demand, never behind anybody's back. */
import type { Registrations } from '#model/clusters.ts'
import type { ProblemFacts } from '#model/problem.ts'

export type Environment = {
  /** Of the file. */
  readonly line: number
  readonly name: string
  readonly provider: string
  readonly nodePort: number | undefined
  readonly pfPort: number | undefined
  readonly httpPort: number | undefined
  readonly httpsPort: number | undefined
  readonly subnet: string | null
  readonly registrations: Registrations
}

const heading =
  'env,provider,node_port,pf_port,register_portainer,haproxy_route,http_port,https_port,cluster_subnet'

export type Environments = {
  readonly environments: readonly Environment[]
  readonly problems: readonly ProblemFacts[]
}

/** Lines that begin with # say nothing; all that is wrong is told at once. */
export function environmentsIn(text: string, file: string): Environments {
  const environments: Environment[] = []
  const problems: ProblemFacts[] = []
  text.split(/\r?\n/).forEach((line, index) => {
    const words = line.trim()
    if (words === '' || words.startsWith('#') || words === heading) return
    const read = environmentIn(words, index + 1)
    if (typeof read !== 'string') return void environments.push(read)
    problems.push({
      type: 'configuration',
      code: 'values_error',
      message: read,
      at: { file, line: index + 1, column: 1 },
      suggestion: `a line is ${heading}`,
    })
  })
  return { environments, problems }
}

function environmentIn(text: string, line: number): Environment | string {
  const cells = text.split(',').map((cell) => cell.trim())
  if (cells.length < 2 || cells.length > 9) return `the line has ${cells.length} columns, not 9`
  const [name = '', provider = '', ...rest] = cells
  const ports = [0, 1, 4, 5].map((index) => portIn(rest[index] ?? ''))
  if (ports.some((port) => Number.isNaN(port))) return `${name} has a port that is no number`
  const [nodePort, pfPort, httpPort, httpsPort] = ports
  return {
    line,
    name,
    provider: provider === '' ? 'k3d' : provider,
    nodePort,
    pfPort,
    httpPort,
    httpsPort,
    subnet: rest[6] === undefined || rest[6] === '' ? null : rest[6],
    registrations: { portainer: isOn(rest[2]), route: isOn(rest[3]), argocd: true, git: true },
  }
}

function portIn(cell: string): number | undefined {
  if (cell === '') return undefined
  return /^\d+$/.test(cell) ? Number(cell) : Number.NaN
}

function isOn(cell: string | undefined): boolean {
  return cell === undefined || cell === '' || /^(1|y|yes|true|on)$/i.test(cell)
}

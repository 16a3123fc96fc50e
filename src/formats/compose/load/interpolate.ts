/** Variables in every text of a document, and the conversion of the texts that stand where a number or a flag belongs. */
import { problemAt, throwIfAny, type ComposeProblem } from '../compose-error.ts'
import { flag, int, type Node, type TextNode } from '../yaml/node.ts'
import { parseDecimal, parseFloatText, toFloat32 } from '../yaml/number.ts'
import type { Release } from '../canonical/release.ts'
import { rulesOf, under, type Path, type Rules } from '../merge/path-rules.ts'
import type { SourceLocation } from '../yaml/source.ts'
import { substitute, SubstitutionError, type Substitution } from './substitute.ts'

type Cast = 'int' | 'float' | 'single' | 'flag'

const service = (casts: Readonly<Record<string, Cast>>) =>
  Object.entries(casts).map(([path, cast]) => [`services.*.${path}`, cast] as const)

const casts: Readonly<Record<string, Cast>> = {
  ...Object.fromEntries(
    service({
      cpu_count: 'int',
      cpu_percent: 'float',
      cpu_period: 'int',
      cpu_quota: 'int',
      cpu_rt_period: 'int',
      cpu_rt_runtime: 'int',
      cpu_shares: 'int',
      cpus: 'single',
      'deploy.placement.max_replicas_per_node': 'int',
      'deploy.replicas': 'int',
      'deploy.restart_policy.max_attempts': 'int',
      'deploy.rollback_config.max_failure_ratio': 'float',
      'deploy.rollback_config.parallelism': 'int',
      'deploy.update_config.max_failure_ratio': 'float',
      'deploy.update_config.parallelism': 'int',
      'healthcheck.disable': 'flag',
      'healthcheck.retries': 'int',
      init: 'flag',
      oom_kill_disable: 'flag',
      oom_score_adj: 'int',
      pids_limit: 'int',
      'ports.[].target': 'int',
      privileged: 'flag',
      read_only: 'flag',
      scale: 'int',
      stdin_open: 'flag',
      tty: 'flag',
      'ulimits.*': 'int',
      'ulimits.*.hard': 'int',
      'ulimits.*.soft': 'int',
      'volumes.[].read_only': 'flag',
      'volumes.[].volume.nocopy': 'flag',
    }),
  ),
  'networks.*.attachable': 'flag',
  'networks.*.enable_ipv4': 'flag',
  'networks.*.enable_ipv6': 'flag',
  'networks.*.external': 'flag',
  'networks.*.internal': 'flag',
  'volumes.*.external': 'flag',
  'secrets.*.external': 'flag',
  'configs.*.external': 'flag',
}

const castsOf: Readonly<Record<Release, Rules<Cast>>> = {
  2: rulesOf(casts),
  5: rulesOf({
    ...casts,
    'services.*.depends_on.*.required': 'flag',
    'services.*.depends_on.*.restart': 'flag',
  }),
}

/** Keys are never interpolated, only values. All problems are found, not the first. */
export function interpolate(root: Node, to: Substitution): Node {
  const problems: ComposeProblem[] = []
  const result = walk(root, castsOf[to.release], [], { to, problems })
  throwIfAny(problems)
  return result
}

/** A text where a flag belongs. The words of YAML 1.1 are taken with a warning. */
export function parseFlag(value: string, warn: (message: string) => void): boolean | undefined {
  const word = value.toLowerCase()
  if (word === 'true') return true
  if (word === 'false') return false
  const isYes = ['y', 'yes', 'on'].includes(word)
  if (!isYes && !['n', 'no', 'off'].includes(word)) return undefined
  warn(`${JSON.stringify(value)} for boolean is not supported by YAML 1.2, please use \`${isYes}\``)
  return isYes
}

type Interpolation = { readonly to: Substitution; readonly problems: ComposeProblem[] }

function walk(node: Node, rules: Rules<Cast> | undefined, path: Path, work: Interpolation): Node {
  if (node.kind === 'text') return interpolated(node, rules?.rule, path, work)
  if (node.kind === 'list') {
    const next = under(rules, '[]')
    const items = node.items.map((item, i) => walk(item, next, [...path, String(i)], work))
    return items.some((item, i) => item !== node.items[i]) ? { ...node, items } : node
  }
  if (node.kind !== 'map') return node
  let entries: Map<string, Node> | undefined
  for (const [key, value] of node.entries) {
    const result = walk(value, under(rules, key), [...path, key], work)
    if (result === value) continue
    entries ??= new Map(node.entries)
    entries.set(key, result)
  }
  return entries === undefined ? node : { ...node, entries }
}

function interpolated(
  node: TextNode,
  cast: Cast | undefined,
  path: Path,
  work: Interpolation,
): Node {
  if (cast === undefined && !node.value.includes('$')) return node
  try {
    const { to } = work
    const warn = (message: string): void => to.warn(message, node.place)
    let isSecret = false
    const lookup = (name: string): string | undefined => {
      const found = to.lookup(name)
      if (found !== undefined && to.isSecret?.(name, found) === true) isSecret = true
      return found
    }
    const value = substitute(node.value, { ...to, lookup, warn })
    const place: SourceLocation = isSecret ? { ...node.place, isSecret } : node.place
    if (cast !== undefined) return converted({ ...node, value, place }, cast, path, work)
    return value === node.value ? node : { ...node, value, place }
  } catch (error) {
    if (!(error instanceof SubstitutionError)) throw error
    work.problems.push(
      problemAt(node.place, `${path.join('.')}: ${error.message}`, error.suggestion),
    )
    return node
  }
}

function converted(node: TextNode, cast: Cast, path: Path, work: Interpolation): Node {
  const { value, place } = node
  if (cast === 'flag') {
    const result = parseFlag(value, work.to.warn)
    if (result !== undefined) return flag(result, place)
  } else if (cast === 'int') {
    const result = parseDecimal(value)
    if (result !== undefined) return int(result, place)
  } else {
    const result = parseFloatText(value)
    const number = result !== undefined && cast === 'single' ? toFloat32(result) : result
    if (number !== undefined) return { kind: 'float', value: number, place }
  }
  const wanted = {
    int: 'a whole number',
    float: 'a number',
    single: 'a number',
    flag: 'true or false',
  }
  work.problems.push(problemAt(place, `${path.join('.')} must be ${wanted[cast]}, not "${value}"`))
  return node
}

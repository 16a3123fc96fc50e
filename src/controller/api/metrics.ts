/** Counts and durations in Prometheus' text form. */
import type { Metrics } from '#model/service.ts'
import { defined } from '#model/defined.ts'

type Labels = Readonly<Record<string, string>>

export type Gauge = {
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

/** What is known at the moment of asking is asked for then. */
export function metricsOf(gauges: () => readonly Gauge[]): Metrics {
  const counts = new Map<string, Map<string, number>>()
  const times = new Map<string, Map<string, Timed>>()

  return {
    count(name, labels, by = 1) {
      const series = at(counts, name, () => new Map<string, number>())
      const key = labelText(labels)
      series.set(key, (series.get(key) ?? 0) + by)
    },
    observe(name, labels, seconds) {
      const series = at(times, name, () => new Map<string, Timed>())
      const timed = at(series, labelText(labels), () => ({
        count: 0,
        sum: 0,
        below: limits.map(() => 0),
      }))
      timed.count += 1
      timed.sum += seconds
      for (const [index, limit] of limits.entries()) {
        if (seconds <= limit) timed.below[index] = defined(timed.below[index]) + 1
      }
    },
    text() {
      const lines: string[] = []
      for (const [name, series] of counts) {
        lines.push(...headOf(name, 'counter'))
        for (const [labels, value] of series) lines.push(`${name}${braced(labels)} ${value}`)
      }
      for (const [name, series] of times) {
        lines.push(...headOf(name, 'histogram'))
        for (const [labels, timed] of series) lines.push(...timedLines(name, labels, timed))
      }
      let last = ''
      for (const { name, labels, value } of gauges()) {
        if (name !== last) lines.push(...headOf(name, 'gauge'))
        last = name
        lines.push(`${name}${braced(labelText(labels))} ${value}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}

/** What each one counts, in words. */
const meanings: Readonly<Record<string, string>> = {
  tend_runs_total: 'Runs that ended, by kind of application, trigger and outcome.',
  tend_run_duration_seconds: 'How long runs took.',
  tend_renders_total:
    'Renders that ended, by kind of application and outcome: ended is what went beyond a limit.',
  tend_steps_total: 'Steps on resources, by step and how they ended.',
  tend_drift_total: 'How often something was found to differ from what was applied.',
  tend_git_calls_total: 'Questions to repositories, by operation.',
  tend_source_rewrites_total: 'Branches that were found to be pushed with force.',
  tend_engine_calls_total: 'Requests to engines, by kind of application.',
  tend_http_requests_total: 'Requests to the API, by route and status.',
  tend_http_request_seconds: 'How long answers of the API took.',
  tend_apps: 'Applications, by state.',
  tend_app_health:
    'Each application with the state of its health: healthy, progressing, degraded, failed or unknown.',
  tend_help_total: 'What was done for applications that were not well, by kind and what.',
  tend_queue_length: 'Applications that wait for their turn.',
  tend_config_ok:
    'Whether the declarations are those of the files: 0 while the newest edit is refused.',
  tend_runs_under_way: 'Runs that go on now.',
  tend_event_streams: 'Open streams of events.',
}

function headOf(name: string, type: string): readonly string[] {
  const meaning = meanings[name]
  const help = meaning === undefined ? [] : [`# HELP ${name} ${meaning}`]
  return [...help, `# TYPE ${name} ${type}`]
}

/** Seconds. */
const limits = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180]

type Timed = { count: number; sum: number; readonly below: number[] }

function timedLines(name: string, labels: string, { count, sum, below }: Timed): readonly string[] {
  const lead = labels === '' ? '' : `${labels},`
  return [
    ...limits.map((limit, index) => `${name}_bucket{${lead}le="${limit}"} ${below[index]}`),
    `${name}_bucket{${lead}le="+Inf"} ${count}`,
    `${name}_sum${braced(labels)} ${sum}`,
    `${name}_count${braced(labels)} ${count}`,
  ]
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(
      ([name, value]) => `${name}="${value.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`,
    )
    .join(',')
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

function at<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make()
  map.set(key, found)
  return found
}

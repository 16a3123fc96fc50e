/** Engines and clusters: whether they answer, their version, and what runs on them. */
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../api/client.ts'
import { AskedView, Empty } from '../parts/asked-view.tsx'
import { Icon } from '../parts/icon.tsx'
import { sentence } from '../parts/sentence.ts'
import { Ago } from '../parts/time.tsx'
import { useAsked } from '../state/asked.ts'
import { useLive } from '../state/live-asked.ts'
import { overviewLink } from '../state/links.ts'

const states = {
  reachable: ['good', 'check', 'Reachable'],
  unreachable: ['bad', 'fail', 'Unreachable'],
  unknown: ['quiet', 'question', 'Unknown'],
} as const

export function TargetsPage() {
  const asked = useAsked((signal) => api.targets(signal), [])
  useLive(asked.reload, ['app', 'gone', 'run'], 2000)
  // the first who asks may come before the engine has said what it is; some never do
  const tries = useRef(10)
  const isLearning = asked.answer?.some(({ state, engine }) => state === 'reachable' && !engine)
  useEffect(() => {
    if (isLearning !== true || tries.current === 0) return undefined
    tries.current -= 1
    const timer = setTimeout(asked.reload, 1000)
    return () => clearTimeout(timer)
  }, [asked.answer])
  useEffect(() => {
    document.title = 'Targets · Tend'
  }, [])
  return (
    <>
      <div class="page-head">
        <h1>Targets</h1>
        <span class="muted">as they were seen last; nothing is asked for this page</span>
      </div>
      <AskedView asked={asked}>
        {(targets) =>
          targets.length === 0 ? (
            <Empty icon="target" title="No target yet">
              <p>Engines and clusters stand here as soon as an application runs on them.</p>
            </Empty>
          ) : (
            <div class="table-scroll panel" tabIndex={0} role="region" aria-label="Targets">
              <table class="table stacked">
                <thead>
                  <tr>
                    <th>Target</th>
                    <th>State</th>
                    <th>Engine</th>
                    <th>Applications</th>
                    <th>Running</th>
                    <th>Runs now</th>
                  </tr>
                </thead>
                <tbody>
                  {targets.map(
                    ({
                      name,
                      engine,
                      version,
                      processors,
                      memory,
                      nodes,
                      state,
                      reason,
                      since,
                      apps,
                      attention,
                      containers,
                      runs,
                    }) => {
                      const [tone, icon, word] = states[state]
                      return (
                        <tr key={name}>
                          <td>
                            <a class="link" href={overviewLink({ target: name })}>
                              {name}
                            </a>
                          </td>
                          <td>
                            <span class={`pill tone-${tone}`}>
                              <Icon name={icon} />
                              {word}
                            </span>{' '}
                            {since > 0 && (
                              <span class="muted small">
                                since <Ago at={since} />
                              </span>
                            )}
                            {reason !== '' && <p class="small">{sentence(reason)}</p>}
                          </td>
                          <td>
                            {engine || <span class="wide-only">–</span>}{' '}
                            <span class="muted">{version}</span>
                            <p class="muted small">{sizeText({ processors, memory, nodes })}</p>
                          </td>
                          <td>
                            <span class="narrow-label">Applications </span>
                            {apps}{' '}
                            {attention > 0 && (
                              <a
                                class="pill tone-warn"
                                href={overviewLink({ target: name, only: 'attention' })}
                              >
                                {attention} {attention === 1 ? 'needs' : 'need'} attention
                              </a>
                            )}
                          </td>
                          <td>
                            <span class="narrow-label">Running </span>
                            <Load {...containers} />
                          </td>
                          <td>
                            <span class="narrow-label">Runs now </span>
                            {runs}
                          </td>
                        </tr>
                      )
                    },
                  )}
                </tbody>
              </table>
            </div>
          )
        }
      </AskedView>
    </>
  )
}

/** How large it is, as far as it says so. */
function sizeText({
  processors = 0,
  memory = 0,
  nodes = 0,
}: {
  readonly processors: number | undefined
  readonly memory: number | undefined
  readonly nodes: number | undefined
}): string {
  return [
    ...(nodes === 0 ? [] : [`${nodes} ${nodes === 1 ? 'node' : 'nodes'}`]),
    ...(processors === 0 ? [] : [`${processors} processors`]),
    ...(memory === 0 ? [] : [`${(memory / 1024 ** 3).toFixed(0)} GB`]),
  ].join(', ')
}

function Load({ running, total }: { readonly running: number; readonly total: number }) {
  if (total === 0) return <span class="muted">–</span>
  return (
    <span class="load">
      <span>
        {running} of {total}
      </span>
      <span class="load-bar" aria-hidden="true">
        <span style={{ width: `${total === 0 ? 0 : (running / total) * 100}%` }} />
      </span>
    </span>
  )
}

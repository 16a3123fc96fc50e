/** The resources of an application, as a graph or as a tree, with one of them opened beside. */
import { api } from '../../api/client.ts'
import { AskedView, Empty } from '../../parts/asked-view.tsx'
import { Icon } from '../../parts/icon.tsx'
import { address, setQuery } from '../../state/address.ts'
import { useAsked } from '../../state/asked.ts'
import type { LiveRun } from '../../state/live-run.ts'
import { GraphView } from '../../graph/graph-view.tsx'
import { ResourcePanel } from './resource-panel.tsx'
import { ResourceTree } from './resource-tree.tsx'
import { useReloadOn } from './use-reload-on.ts'

export function ResourcesTab({
  appKey,
  run,
  round,
}: {
  readonly appKey: string
  readonly run: LiveRun | undefined
  readonly round: number
}) {
  const asked = useAsked((signal) => api.graph(appKey, signal), [appKey])
  useReloadOn(asked.reload, round)
  const { query } = address.value
  const isTree = query['as'] === 'tree'
  const chosen = query['resource']
  return (
    <div class={chosen === undefined ? 'resources' : 'resources with-panel'}>
      <div class="resources-main">
        <div class="segmented" role="group" aria-label="Form">
          <button
            type="button"
            class="button"
            aria-pressed={!isTree}
            onClick={() => setQuery({ as: undefined })}
          >
            <Icon name="fleet" />
            Graph
          </button>
          <button
            type="button"
            class="button"
            aria-pressed={isTree}
            onClick={() => setQuery({ as: 'tree' })}
          >
            <Icon name="rows" />
            Tree
          </button>
        </div>
        <AskedView asked={asked}>
          {(graph) =>
            graph.nodes.length === 0 ? (
              <Empty icon="box" title="No resource yet">
                <p>What it declares stands here once its source was read.</p>
              </Empty>
            ) : isTree ? (
              <ResourceTree graph={graph} run={run} chosen={chosen} />
            ) : (
              <GraphView graph={graph} run={run} chosen={chosen} />
            )
          }
        </AskedView>
      </div>
      {chosen !== undefined && (
        <ResourcePanel key={chosen} appKey={appKey} resource={chosen} round={round} />
      )}
    </div>
  )
}

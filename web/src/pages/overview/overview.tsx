/** The overview: every application of every kind, what is not well first. */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { follow, listen } from '../../api/stream.ts'
import { Empty, Skeleton } from '../../parts/asked-view.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageTrouble } from '../../parts/page-trouble.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { address, setQuery } from '../../state/address.ts'
import { Card } from './card.tsx'
import { FirstUse } from './first-use.tsx'
import { GroupHead } from './group-head.tsx'
import { useHeld } from './held.ts'
import { useMeasures } from './measures.ts'
import { closedIn, filterOf, overviewQuery, toggledClosed } from './query.ts'
import { RefusedEdit } from './refused-edit.tsx'
import { Row, RowHeads } from './row.tsx'
import { rowsFrom } from './rows.ts'
import { SelectionBar, selected } from './selection.tsx'
import { Tiles } from './tiles.tsx'
import { Toolbar } from './toolbar.tsx'
import { Verdict } from './verdict.tsx'

export function Overview() {
  const rows = useMemo(() => rowsFrom(api.overview), [])
  const at = address.value
  const asked = JSON.stringify(overviewQuery(at))
  const filter = JSON.stringify(filterOf(at))
  const isCards = at.query['view'] === 'cards'
  const closed = closedIn(at)
  const [list, setList] = useState<HTMLElement | null>(null)
  const measures = useMeasures(list, isCards)

  useHeld(list, rows.hold)

  useEffect(() => rows.ask(JSON.parse(asked)), [asked])
  useEffect(() => follow(JSON.parse(filter)), [filter])
  useEffect(() => {
    const end = listen(rows.take)
    return () => {
      end()
      rows.stop()
    }
  }, [rows])
  useEffect(() => {
    document.title = 'Overview · Tend'
    return () => (selected.value = new Set())
  }, [])

  const show = useCallback((first: number, last: number) => rows.show(first, last), [rows])
  const toggle = (name: string) =>
    setQuery({ closed: toggledClosed(address.value, name) }, { replaces: true })

  const counts = rows.counts.value
  const { total, groups } = rows.listed.value
  const trouble = rows.trouble.value
  if (counts === undefined) {
    return trouble === undefined ? (
      <Skeleton lines={9} />
    ) : (
      <PageTrouble trouble={trouble} retry={rows.reload} isEmpty />
    )
  }
  if (counts.total === 0 && filter === '{}') {
    return (
      <>
        <RefusedEdit />
        <FirstUse isFirst />
      </>
    )
  }
  return (
    <>
      <div class="page-head">
        <h1>Overview</h1>
        <span class="muted" role="status">
          {counts.total.toLocaleString()} {counts.total === 1 ? 'application' : 'applications'}
        </span>
        <span class="space" />
        <a class="link small" href="/start">
          Declare another
        </a>
      </div>
      {trouble !== undefined && <PageTrouble trouble={trouble} retry={rows.reload} />}
      <RefusedEdit />
      <Verdict counts={counts} query={at.query} />
      <Tiles counts={counts} query={at.query} />
      <Toolbar query={at.query} labels={counts.labels} />
      <div ref={setList} data-version={rows.version.value}>
        {rows.isOrderOld.value && (
          <div class="order-old" role="status">
            <button type="button" class="button" onClick={rows.reload}>
              <Icon name="sync" />
              The order has changed: refresh
            </button>
          </div>
        )}
        {!isCards && total > 0 && <RowHeads />}
        <VirtualList
          label="Applications"
          total={total}
          groups={groups}
          closed={closed}
          measures={measures}
          gap={isCards ? 12 : 0}
          onShown={show}
          keyOf={rows.keyAt}
          renderHead={(index) => {
            const group = groups?.[index]
            if (group === undefined) return null
            return (
              <GroupHead
                group={group}
                by={at.query['group'] ?? ''}
                isClosed={closed.has(group.name)}
                toggle={toggle}
              />
            )
          }}
          renderItem={(index) => {
            const app = rows.row(index)
            if (app === undefined) return <div class="row-waiting" />
            return isCards ? <Card app={app} /> : <Row app={app} />
          }}
        />
      </div>
      {total === 0 && (
        <Empty icon="search" title="Nothing fits this filter">
          <a class="link" href="/">
            Show all applications
          </a>
        </Empty>
      )}
      <SelectionBar />
    </>
  )
}

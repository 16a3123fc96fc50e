/** The resources as a tree for keyboards and screen readers: arrows move, open and close, Enter shows one. */
import { useRef, useState } from 'preact/hooks'
import type { Graph } from '#model/api.ts'
import { Icon } from '../../parts/icon.tsx'
import { sentence } from '../../parts/sentence.ts'
import { HealthMark, SyncMark } from '../../parts/state-mark.tsx'
import { nodeLink } from '../../graph/node-link.ts'
import { go, setQuery } from '../../state/address.ts'
import type { LiveRun } from '../../state/live-run.ts'
import { treeLines, type TreeLine } from './tree-lines.ts'

export function ResourceTree({
  graph,
  run,
  chosen,
}: {
  readonly graph: Graph
  readonly run: LiveRun | undefined
  readonly chosen: string | undefined
}) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string>()
  const tree = useRef<HTMLDivElement>(null)
  const lines = treeLines(graph, closed)
  const active = lines.find(({ id }) => id === current)?.id ?? lines[0]?.id

  function focus(line: TreeLine | undefined): void {
    if (line === undefined) return
    setCurrent(line.id)
    const element = tree.current?.querySelector(`[data-id="${CSS.escape(line.id)}"]`)
    if (element instanceof HTMLElement) element.focus()
  }
  function setOpen({ id, children }: TreeLine, isOpen: boolean): void {
    if (children === 0) return
    setClosed((old) => new Set(isOpen ? [...old].filter((one) => one !== id) : [...old, id]))
  }
  function show({ node }: TreeLine): void {
    if (node === undefined) return
    go(nodeLink(node))
  }
  function press(event: KeyboardEvent, line: TreeLine): void {
    const at = lines.indexOf(line)
    const parent = lines.slice(0, at).findLast(({ level }) => level < line.level)
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(lines[at + 1]),
      ArrowUp: () => focus(lines[at - 1]),
      Home: () => focus(lines[0]),
      End: () => focus(lines.at(-1)),
      ArrowRight: () =>
        line.isOpen ? focus(line.children > 0 ? lines[at + 1] : undefined) : setOpen(line, true),
      ArrowLeft: () => (line.isOpen && line.children > 0 ? setOpen(line, false) : focus(parent)),
      Enter: () => (line.node === undefined ? setOpen(line, !line.isOpen) : show(line)),
      Escape: () => setQuery({ resource: undefined, part: undefined }),
      ' ': () => (line.node === undefined ? setOpen(line, !line.isOpen) : show(line)),
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    move()
  }

  return (
    <div class="tree panel" role="tree" aria-label="Resources" ref={tree}>
      {lines.map((line) => {
        const step =
          line.node === undefined || run?.ended !== undefined
            ? undefined
            : run?.steps.get(line.node.id)
        return (
          <div
            key={line.id}
            role="treeitem"
            data-id={line.id}
            aria-level={line.level}
            aria-expanded={line.children > 0 ? line.isOpen : undefined}
            aria-selected={line.node !== undefined && line.node.id === chosen}
            tabIndex={line.id === active ? 0 : -1}
            class={`tree-line level-${Math.min(line.level, 5)}`}
            onClick={() => (line.node === undefined ? setOpen(line, !line.isOpen) : show(line))}
            onFocus={() => setCurrent(line.id)}
            onKeyDown={(event) => press(event, line)}
          >
            <span class="tree-twist">
              {line.children > 0 && <Icon name={line.isOpen ? 'down' : 'right'} />}
            </span>
            {line.node === undefined ? (
              <strong>
                {line.title} <span class="muted">{line.children}</span>
              </strong>
            ) : (
              <>
                <span class="truncate">{line.title}</span>
                <span class="tree-states">
                  {step === undefined ? (
                    <>
                      {line.node.health === undefined ? (
                        <span />
                      ) : (
                        <HealthMark state={line.node.health} />
                      )}
                      <SyncMark state={line.node.sync} />
                    </>
                  ) : (
                    <span class={`tree-step tone-${step.tone}`}>{step.words}</span>
                  )}
                </span>
                <span class="muted small truncate">
                  {sentence(line.node.reason) ||
                    (line.needs.length > 0 ? `needs ${line.needs.join(', ')}` : '')}
                </span>
              </>
            )}
          </div>
        )
      })}
    </div>
  )
}

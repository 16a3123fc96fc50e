/** A resource in the graph: its kind, its name, how it is, and what a run does to it. */
import { Icon } from '../parts/icon.tsx'
import type { LiveStep } from '../state/live-run.ts'
import { healthLooks, syncLooks } from '../state/tones.ts'
import type { ShownNode } from './fold.ts'
import { nodeLink } from './node-link.ts'

/** Of a name that does not fit the end is shown too: pods differ in nothing else. */
const fitting = 20
const end = 6

export const nodeSize = { width: 208, height: 50 } as const

export function GraphCard({
  shown: { id, node, inside, alike, isClosed },
  x,
  y,
  step,
  isChosen,
  toggle,
}: {
  readonly shown: ShownNode
  readonly x: number
  readonly y: number
  readonly step: LiveStep | undefined
  readonly isChosen: boolean
  readonly toggle: (id: string) => void
}) {
  const { kind, name, sync, health, reason, type } = node
  const look =
    health === undefined || (health === 'healthy' && sync !== 'synced')
      ? syncLooks[sync]
      : healthLooks[health]
  const tone = step?.tone ?? look.tone
  const isMany = alike !== undefined
  const href = nodeLink(node)
  const words = `${kind} ${name}: ${step?.words ?? look.word}${reason === '' ? '' : `. ${reason}`}`
  const style = {
    transform: `translate(${x}px, ${y}px)`,
    width: `${nodeSize.width}px`,
    height: `${nodeSize.height}px`,
  }
  return (
    <div
      class={`graph-card edge-${tone}${isChosen ? ' chosen' : ''}${isMany ? ' many' : ''}`}
      style={style}
    >
      <a href={href} title={words}>
        <span class="graph-kind">
          {isMany ? `${alike} × ${kind}` : type === 'app' ? `application · ${kind}` : kind}
        </span>
        <Name name={name} />
        {step === undefined && <span class="hidden">{look.word}</span>}
        {step !== undefined && <span class={`graph-step truncate tone-${tone}`}>{step.words}</span>}
      </a>
      <span class={`graph-mark tone-${tone}`}>
        <Icon
          name={step?.isGoingOn === true ? 'spinner' : look.icon}
          spins={step?.isGoingOn === true || health === 'progressing'}
        />
      </span>
      {isClosed !== undefined && (
        <button
          type="button"
          class="graph-toggle"
          aria-expanded={!isClosed}
          aria-label={
            isClosed ? `Show ${inside.length} more of ${name}` : `Fold what belongs to ${name}`
          }
          onClick={() => toggle(id)}
        >
          {isClosed ? `+${inside.length}` : '–'}
        </button>
      )}
    </div>
  )
}

function Name({ name }: { readonly name: string }) {
  if (name.length <= fitting) return <span class="graph-name truncate">{name}</span>
  return (
    <span class="graph-name long">
      <span class="truncate">{name.slice(0, -end)}</span>
      <span>{name.slice(-end)}</span>
    </span>
  )
}

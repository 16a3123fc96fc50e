/** The kinds that the service runs: a new one is one file and one line here. */
import type { Craft } from '../craft.ts'
import { chartCraft } from './chart.ts'
import { stackCraft } from './stack.ts'

export const allCrafts: readonly Craft[] = [stackCraft, chartCraft]

/** The policy of an application for which nothing else is declared. */
import type { AppPolicy } from './declaration.ts'
import { denyAll } from './policy.ts'

export const usualPolicy: AppPolicy = {
  interval: 60_000,
  suspended: false,
  prune: true,
  drift: 'revert',
  flagsEverything: false,
  rollback: 'auto',
  windows: [],
  dependsOn: [],
  timeout: 300_000,
  concurrency: 8,
  security: denyAll,
}

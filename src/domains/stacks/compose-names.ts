/** What a Compose file is called when nobody names it. */

/** First come, first taken, as docker compose has it. */
export const composeNames = [
  'compose.yaml',
  'compose.yml',
  'docker-compose.yml',
  'docker-compose.yaml',
] as const

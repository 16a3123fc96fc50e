/** Files of applications with a secret in every place that can hold one. */
import { busybox } from './image.ts'
import type { Planted } from './planted.ts'

/** Names that say nothing, and names that say it: the first are for env files alone. */
export const plainNames = [
  'COLOUR',
  'SIZE',
  'HOST',
  'A',
  'LICENCE',
  'REGION',
  'USERNAME',
  'NUMBER',
].concat(Array.from({ length: 24 }, (_, index) => `V${index}`))
export const secretNames = [
  'DB_PASSWORD',
  'JWT',
  'SLACK_WEBHOOK_URL',
  'SMTP_PW',
  'BASIC_AUTH',
  'DOCKER_AUTH_CONFIG',
  'COOKIE_SALT',
  'API_KEY',
  'SENTRY_DSN',
  'GITHUB_PAT',
]
const shapes = [
  'postgres://shop:%@db:5432/shop',
  'Server=db;User=sa;Pwd=%;Timeout=5',
  'eyJhbGciOiJIUzI1NiJ9.eyJ%aaaa.dozjgNryP4J3jVmNHl0w5N',
  'Bearer %',
  'https://hooks.slack.com/services/T0/B0/%',
  'amqp://%:%@queue',
]

export function envFile(garden: Planted, where: string, names: readonly string[]): string {
  return names.map((name) => `${name}=${garden.plant(`${name} of ${where}`)}\n`).join('')
}

/** `word`: another one makes a change that names no secret. */
export function stackFiles(garden: Planted, app: string, word = 'one'): Record<string, string> {
  const shaped = shapes.map((shape, index) => garden.plant(`shape ${index} of ${app}`, shape))
  const labels = shaped.map((text, index) => `      l${index}: ${JSON.stringify(text)}\n`).join('')
  return {
    [`${app}/.env`]: `TAG=1\n${envFile(garden, `${app}/.env`, secretNames)}`,
    [`${app}/web.env`]: envFile(garden, `${app}/web.env`, [...plainNames, ...secretNames]),
    [`${app}/token.txt`]: garden.plant(`${app}/token.txt`),
    [`${app}/compose.yaml`]: `
services:
  web:
    image: ${busybox}
    command: [sh, -c, "echo ready > /ready; : \${DB_PASSWORD} \${JWT}; exec sleep 100000"]
    env_file: [web.env]
    environment:
      WORD: ${word}
      ADMIN_PASSWORD: ${garden.plant(`environment of ${app}`)}
      URL: "x\${SMTP_PW}y"
      DSN: ${JSON.stringify(garden.plant(`DSN of ${app}`, 'Server=db;Pwd=%'))}
    hostname: h\${COOKIE_SALT}
    labels:
      told: "\${BASIC_AUTH}"
${labels}    healthcheck: { test: [CMD-SHELL, "test -e /ready # \${API_KEY}"], interval: 200ms, retries: 50 }
    post_start: [{ command: [sh, -c, "true \${SENTRY_DSN}"] }]
    stop_grace_period: 0s
    secrets: [token, given]
    volumes: ["data:/data"]
secrets:
  token: { file: token.txt }
  given: { environment: GITHUB_PAT }
volumes: { data: { labels: { told: "\${SLACK_WEBHOOK_URL}" } } }
`,
  }
}

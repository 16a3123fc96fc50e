/** Where the service may be reached: without a token, from this machine alone. */
import { Problem } from '#model/problem.ts'
import { isLoopback } from './origin-check.ts'

/** The variable by which an operator says that the network in front keeps strangers away. */
const openVariable = 'TEND_OPEN_API'

export function checkBinding(host: string, hasTokens: boolean, isOpen: boolean): void {
  if (hasTokens || isOpen || isLoopback(host)) return
  throw new Problem({
    type: 'configuration',
    code: 'declaration_error',
    message: `without a token the service listens on this machine only, not on ${host}`,
    suggestion: `give it a token (TEND_TOKEN_FILE, or \`tend token create\`), listen on 127.0.0.1, or say \`open: true\` under listen if others are kept out in another way (with docker-cd's variables ${openVariable}=true)`,
  })
}

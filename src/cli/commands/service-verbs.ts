/** The verbs that talk to a service, as one part of a release. */
export { audit } from './audit.ts'
export { diff } from './diff.ts'
export { get } from './get.ts'
export { forget } from './forget.ts'
export { resume, suspend } from './suspend.ts'
export { ack, sync } from './sync.ts'
export { token } from './token.ts'

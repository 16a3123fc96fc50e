/** Where the credentials of registries used to be read: any client may need them. */
export { authFor } from '#clients/registry/credentials.ts'

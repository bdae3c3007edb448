/** The types of targets of permission entries. */
export const PermissionTargetType = Object.freeze({ ROLE: 1, USER: 2, CHANNEL: 3 })
export type PermissionTargetType = (typeof PermissionTargetType)[keyof typeof PermissionTargetType]

export { PermissionFlag } from '../command/permission-flags.ts'

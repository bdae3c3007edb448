import * as reference from 'commandry/reference'
export const v0 = reference.rules
export const v1 = reference.Limits
export const v2 = reference.commandSchema
export const v3 = reference.commandsSchema
export const v4 = reference.permissionsSchema

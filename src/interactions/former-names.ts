/** Until 0.4.0, what `commandry/interactions` had in 0.2.0 and `commandry` has now. */
import { explainAvailability as explain } from '../commands/access/availability.ts'
import type * as availability from '../commands/access/availability.ts'
import * as types from '../model/interaction-types.ts'

/** The same as `ButtonStyle` of `commandry`. @deprecated Import it from `commandry`. */
export const ButtonStyle = types.ButtonStyle
/** The same as `ButtonStyle` of `commandry`. @deprecated Import it from `commandry`. */
export type ButtonStyle = types.ButtonStyle

/** The same as `ComponentType` of `commandry`. @deprecated Import it from `commandry`. */
export const ComponentType = types.ComponentType
/** The same as `ComponentType` of `commandry`. @deprecated Import it from `commandry`. */
export type ComponentType = types.ComponentType

/** The same as `MessageFlag` of `commandry`. @deprecated Import it from `commandry`. */
export const MessageFlag = types.MessageFlag
/** The same as `MessageFlag` of `commandry`. @deprecated Import it from `commandry`. */
export type MessageFlag = types.MessageFlag

/** The same as `MessageType` of `commandry`. @deprecated Import it from `commandry`. */
export const MessageType = types.MessageType
/** The same as `MessageType` of `commandry`. @deprecated Import it from `commandry`. */
export type MessageType = types.MessageType

/** The same as `explainAvailability` of `commandry`. @deprecated Import it from `commandry`. */
export const explainAvailability = explain
/** The same as `Availability` of `commandry`. @deprecated Import it from `commandry`. */
export type Availability = availability.Availability
/** The same as `AvailabilityRequest` of `commandry`. @deprecated Import it from `commandry`. */
export type AvailabilityRequest = availability.AvailabilityRequest
/** The same as `UnavailableReason` of `commandry`. @deprecated Import it from `commandry`. */
export type UnavailableReason = availability.UnavailableReason

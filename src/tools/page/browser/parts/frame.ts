/** What the views and the frame around them share: the parts of a view, its badge, and whether the inspector is open. */
import type { Child } from './dom.ts'
import type { View } from './place.ts'

export interface ViewParts {
  readonly main: Child
  /** Attributes of the element that scrolls. */
  readonly content?: object
  readonly side?: Child
  /** At the bottom of the main area, always visible. */
  readonly foot?: Child
}

/** The number beside the name of a view, by view. */
export const badges: Partial<Record<View, () => number>> = {}

/** On a phone the inspector covers the view while it is open. */
export const inspector = { isOpen: false }

export function openInspector(isOpen = true): void {
  inspector.isOpen = isOpen
}

export function closeInspector(): void {
  inspector.isOpen = false
}

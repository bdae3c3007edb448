/** The application and the token of a service without access checks. */

/** The application in `openAccess` when neither the path nor the token names one. */
export const NAMELESS_APPLICATION = '1000000000000000000'

/** A token of no secret, in the form of a real one, from which `openAccess` and libraries read the application. */
export function placeholderToken(applicationId: string): string {
  return `${btoa(applicationId).replaceAll('=', '')}.Commnd.${'x'.repeat(38)}`
}

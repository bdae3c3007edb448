/** Compares two texts in a time that depends only on the length of the given one: it reveals no secret. */
export function equalsSecret(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length
  // Past the end of the secret the code is NaN, which counts as 0; the lengths differ then.
  for (let i = 0; i < given.length; i++) difference |= given.charCodeAt(i) ^ secret.charCodeAt(i)
  return difference === 0
}

/** Emojis of Unicode, as buttons, options of menus, polls and reactions have them. */

// A keycap, a flag or a letter of one, a skin tone, or a picture: perhaps with a variation, tags, and others joined to it.
const EMOJI =
  /^(?:[#*0-9]\ufe0f?\u20e3|\p{Regional_Indicator}{1,2}|\p{Emoji_Modifier}|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?[\u{e0020}-\u{e007f}]*(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*)$/u

const MAX_LENGTH = 64

/** Whether a text is one emoji of Unicode and nothing else. */
export function isUnicodeEmoji(text: unknown): text is string {
  return typeof text === 'string' && text.length <= MAX_LENGTH && EMOJI.test(text)
}

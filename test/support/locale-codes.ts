/** The locales of Discord in their order, listed again on purpose so that none is lost. */
export const localeCodes = [
  ...['id', 'da', 'de', 'en-GB', 'en-US', 'es-ES', 'es-419', 'fr', 'hr', 'it', 'lt', 'hu', 'nl', 'no', 'pl'],
  ...['pt-BR', 'ro', 'fi', 'sv-SE', 'vi', 'tr', 'cs', 'el', 'bg', 'ru', 'uk', 'hi', 'th', 'zh-CN', 'ja'],
  ...['zh-TW', 'ko', 'ar', 'he'],
] as const

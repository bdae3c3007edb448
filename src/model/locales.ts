/**
 * The locales of the service (clause 2.10-10) and their fallbacks (2.10-03): those of developers/reference.mdx, Locales,
 * discord-api-docs at f36e7ca3, then two that only the OpenAPI document has.
 */
import { deepFreeze } from '../core/freeze.ts'

const keys = [
  'id',
  'da',
  'de',
  'en-GB',
  'en-US',
  'es-ES',
  'es-419',
  'fr',
  'hr',
  'it',
  'lt',
  'hu',
  'nl',
  'no',
  'pl',
  'pt-BR',
  'ro',
  'fi',
  'sv-SE',
  'vi',
  'tr',
  'cs',
  'el',
  'bg',
  'ru',
  'uk',
  'hi',
  'th',
  'zh-CN',
  'ja',
  'zh-TW',
  'ko',
  'ar',
  'he',
] as const

/** A locale key, such as `en-US`. */
export type Locale = (typeof keys)[number]

/** The 34 locale keys, in the order of the service's own list. */
export const locales: readonly Locale[] = Object.freeze(keys)

/** Every locale key, keyed by itself: `Locale['en-US']`. */
export const Locale = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.fromEntries(/* @__PURE__ */ keys.map((key) => [key, key])),
) as unknown as { readonly [Key in Locale]: Key }

/** The name of a locale in English and in its own language. */
// Not the table that the keys are taken from: most bundles need the keys only.
export const localeNames: {
  readonly [Key in Locale]: readonly [english: string, native: string]
} = /* @__PURE__ */ deepFreeze({
  id: ['Indonesian', 'Bahasa Indonesia'],
  da: ['Danish', 'Dansk'],
  de: ['German', 'Deutsch'],
  'en-GB': ['English, UK', 'English, UK'],
  'en-US': ['English, US', 'English, US'],
  'es-ES': ['Spanish', 'Español'],
  'es-419': ['Spanish, LATAM', 'Español, LATAM'],
  fr: ['French', 'Français'],
  hr: ['Croatian', 'Hrvatski'],
  it: ['Italian', 'Italiano'],
  lt: ['Lithuanian', 'Lietuviškai'],
  hu: ['Hungarian', 'Magyar'],
  nl: ['Dutch', 'Nederlands'],
  no: ['Norwegian', 'Norsk'],
  pl: ['Polish', 'Polski'],
  'pt-BR': ['Portuguese, Brazilian', 'Português do Brasil'],
  ro: ['Romanian, Romania', 'Română'],
  fi: ['Finnish', 'Suomi'],
  'sv-SE': ['Swedish', 'Svenska'],
  vi: ['Vietnamese', 'Tiếng Việt'],
  tr: ['Turkish', 'Türkçe'],
  cs: ['Czech', 'Čeština'],
  el: ['Greek', 'Ελληνικά'],
  bg: ['Bulgarian', 'български'],
  ru: ['Russian', 'Русский'],
  uk: ['Ukrainian', 'Українська'],
  hi: ['Hindi', 'हिन्दी'],
  th: ['Thai', 'ไทย'],
  'zh-CN': ['Chinese, China', '中文'],
  ja: ['Japanese', '日本語'],
  'zh-TW': ['Chinese, Taiwan', '繁體中文'],
  ko: ['Korean', '한국어'],
  ar: ['Arabic', 'العربية'],
  he: ['Hebrew', 'עברית'],
})

const known: ReadonlySet<unknown> = new Set(locales)

/** Whether a value is a locale key of the service. */
export function isLocale(key: unknown): key is Locale {
  return known.has(key)
}

/** The fallback of a locale whose text is missing. One hop only. */
export const serviceFallbacks: ReadonlyMap<Locale, Locale> = new Map<Locale, Locale>([
  ['en-US', 'en-GB'],
  ['en-GB', 'en-US'],
  ['es-419', 'es-ES'],
])

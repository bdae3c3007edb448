import { describe, expect, it } from 'vitest'
import { validateCommand } from 'commandry'
import { rules } from 'commandry/reference'
import { Report } from '../../src/core/rules/report.ts'
import { rule } from '../../src/core/rules/rule.ts'
import { platformChanges, platformOn, since, type PlatformChange } from '../../src/model/platform.ts'
import { changeLogEntries, laterChanges } from './change-log.ts'
import { read } from '../support/markdown.ts'
import { DISCORD_AS_OF, platformPage } from './platform-page.ts'

const dayOf = (time: string | Date) => new Date(time).toISOString().slice(0, 10)

describe('the table of changes', () => {
  it('[1-07] is the page docs/platform.md, which begins with its day', async () => {
    const page = platformPage()
    expect(page).toMatch(/^# Discord as of 2026-11-25\n/)
    await expect(page).toMatchFileSnapshot('../../docs/platform.md')
  })

  it('[1-07] has a day and a source in each row, oldest first, and the README names the day of the library', () => {
    const days = platformChanges.map(({ day }) => day)
    expect(days).toEqual(days.toSorted())
    for (const { day, source, what } of platformChanges)
      expect([dayOf(day) === day, source.length > 5, what.endsWith('.')], what).toEqual([true, true, true])
    expect(read('README.md')).toContain(`Discord as of ${DISCORD_AS_OF}`)
  })

  it('[1-07] has a row for the day and source of each newer rule', () => {
    const newer = rules.filter((one) => one.since !== null)
    expect(newer.map(({ code }) => code)).toContain('option.file_types')
    const rows = platformChanges.map(({ day, source }) => ({ since: day, source }))
    for (const { since: day, source } of newer) expect(rows).toContainEqual({ since: day, source })
  })

  it('[1-07] tells an unknown field of a body as unknown as of its day', () => {
    const { warnings } = validateCommand({ name: 'a', description: 'b', brand_new_field: 1 })
    expect(warnings.map(({ message }) => message)).toEqual([
      `"brand_new_field" is not known as of ${DISCORD_AS_OF} and is ignored; a field of your own code may stay; for a newer field of Discord, update commandry`,
    ])
  })
})

describe('the change log', () => {
  const all = [...changeLogEntries, ...laterChanges]

  it('[1-07] is walked to its end: each entry is taken up by rows of the table, or not ours for a reason', () => {
    const days = new Set(platformChanges.map(({ day }) => day))
    for (const entry of all) {
      expect(dayOf(entry.day), entry.title).toBe(entry.day)
      if ('rows' in entry)
        for (const day of entry.rows) expect([entry.title, days.has(day)]).toEqual([entry.title, true])
      else expect(entry.notOurs, entry.title).toMatch(/^[A-Z].{15,}\.$/)
    }
    expect(changeLogEntries).toHaveLength(57)
    expect(changeLogEntries.map(({ day }) => day)).toEqual(changeLogEntries.map(({ day }) => day).toSorted())
  })

  it('[1-07] has an entry for each row of the table', () => {
    const taken = new Set(all.flatMap((entry) => ('rows' in entry ? entry.rows : [])))
    for (const { day, what } of platformChanges) expect([what, taken.has(day)]).toEqual([what, true])
  })

  it('[1-07] has no earlier form of a change that is a year old: delete the branch and the switch of the row', () => {
    // The real date on purpose: without it, an old branch stays unnoticed.
    const lastYear = new Date()
    lastYear.setUTCFullYear(lastYear.getUTCFullYear() - 1)
    const ended = platformChanges.filter((one) => one.switch !== undefined && one.day <= dayOf(lastYear))
    expect(ended.map(({ day, switch: name }) => `${name} of ${day}`)).toEqual([])
  })
})

describe('the next change', () => {
  const change: PlatformChange = {
    day: '2999-01-01',
    what: 'Names of channels are loud.',
    source: 'change log of 2998-12-01',
    fields: ['options[].loud'],
    behaviors: ['The gateway sends names in capitals.'],
    switch: 'loud_names',
  }
  const changes = [...platformChanges, change]
  const loud = rule({
    code: 'option.loud',
    clause: '1-07',
    ...since(change),
    summary: 'An option is not loud.',
    check: (value: unknown) => (value === true ? { value } : undefined),
    message: () => 'is loud; leave it out',
  })
  // The module that behaves asks for the switch, and no other one is changed.
  const nameOf = (name: string, day: string | undefined, today?: string) =>
    platformOn(day, changes, today).has('loud_names') ? name.toUpperCase() : name

  it('is one row: a switch of behavior', () => {
    expect(nameOf('staff', '2998-12-31')).toBe('staff')
    expect(nameOf('staff', '2999-01-01')).toBe('STAFF')
    expect(nameOf('staff', undefined)).toBe('staff')
    expect(nameOf('staff', undefined, '2999-01-02')).toBe('STAFF')
  })

  it('is one row: a section of the page, with its rule and field', () => {
    const page = platformPage(changes, [...rules, loud])
    const section = page.slice(page.indexOf('## 2999-01-01'), page.indexOf('## 2026-11-16'))
    expect(section).toContain('Names of channels are loud')
    for (const part of [
      'options[].loud',
      'option.loud',
      'change log of 2998-12-01',
      'in capitals',
      '`loud_names`',
    ])
      expect(section).toContain(part)
  })

  it('[1-07] is a warning with its day until then, and refuses nothing', () => {
    const report = new Report()
    expect(report.check(loud, true)).toBe(true)
    expect(report.errors).toEqual([])
    expect(report.warnings.map(({ message }) => message)).toEqual([
      'is loud; leave it out; Discord refuses it from 2999-01-01 on',
    ])
    const inForce = new Report()
    expect(inForce.check({ ...loud, since: '2026-01-01' }, true)).toBe(false)
    expect(inForce.errors).toHaveLength(1)
  })
})

describe('a day of Discord', () => {
  it('is that of the newest change in force, unless one is chosen', () => {
    // Later changes, which the table gets when Discord makes them, leave this test alone.
    const known = platformChanges.filter(({ day }) => day <= '2026-11-16')
    expect(platformOn(undefined, known, '2026-11-15').day).toBe('2026-10-01')
    expect(platformOn(undefined, known, '2026-11-25').day).toBe('2026-11-16')
    expect(platformOn('2026-11-15').day).toBe('2026-11-15')
  })

  it('is a day of the calendar', () => {
    for (const day of ['yesterday', '2026-11-31', '2026-1-1', ''])
      expect(() => platformOn(day)).toThrow('discord: expected a day such as "2026-11-16"')
  })
})

it.each<readonly [string, object]>([
  ['the list of changes', platformChanges],
  ['a day of Discord', platformOn('2026-08-05')],
  ...platformChanges.map((change) => [`the change of ${change.day}`, change] as const),
])('freezes %s', (_, given) => {
  expect(Object.isFrozen(given)).toBe(true)
})

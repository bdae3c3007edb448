/** The rules about `file_types` of options and of file uploads (clause 2.4-14). */
import { form, listRule } from '../../../core/rules/rule-kinds.ts'
import type { Report } from '../../../core/rules/report.ts'
import { rule } from '../../../core/rules/rule.ts'
import { notConvertible } from '../../../core/rules/wire-errors.ts'
import { FILE_TYPE } from '../../../model/file-types.ts'
import { FILE_TYPES, since } from '../../../model/platform.ts'

export const FILE_TYPES_MAX = 10

export const fileTypeRules = {
  fileTypesCount: rule({
    ...listRule({
      code: 'file_types.count',
      clause: '2.4-14',
      subject: 'A list of file types has',
      item: 'file type',
      max: FILE_TYPES_MAX,
    }),
    ...since(FILE_TYPES),
    at: 'firstSurplusItem',
  }),
  fileTypeForm: rule({
    code: 'file_types.form',
    clause: '2.4-14',
    ...since(FILE_TYPES),
    summary: 'A file type is `image`, `video`, `audio` or an extension such as `.pdf`.',
    ...form(
      (value) => typeof value === 'string' && FILE_TYPE.test(value),
      'expected "image", "video", "audio" or an extension such as ".pdf"',
    ),
    wire: notConvertible('string'),
  }),
} as const

/** Reads file types, in lower case. */
export function readFileTypes(report: Report, list: readonly unknown[]): readonly string[] {
  report.check(fileTypeRules.fileTypesCount, list)
  return report.items(list, FILE_TYPES_MAX, (_, type) =>
    report.check(fileTypeRules.fileTypeForm, type) ? String(type).toLowerCase() : '',
  )
}

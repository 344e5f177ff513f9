import type { Placeholder } from '../settings/mail-templates.ts'
import type { ByLanguage } from './language.ts'

/** Values for the preview of a mail template, without the name of the company. No link works, and no code or password is real. */
export const mailSamples: ByLanguage<Record<Exclude<Placeholder, 'company'>, string>> = {
  ko: {
    portal: 'https://portal.example',
    link: 'https://portal.example/sample',
    code: '000000',
    password: 'sample-0000',
    userId: 'gildong',
    name: '홍길동',
    validity: '2026-01-01 ~ 2026-12-31',
    reason: '소속을 확인할 수 없습니다.\n담당자에게 문의해주세요.',
    affiliation: '부산지사',
    title: '보안 교육 안내',
    sender: '김담당',
    time: '2026-01-02 09:00',
    end: '2026-12-31',
    daysLeft: '7',
    day: '2026-01-31',
    days: '90',
  },
  en: {
    portal: 'https://portal.example',
    link: 'https://portal.example/sample',
    code: '000000',
    password: 'sample-0000',
    userId: 'gildong',
    name: 'Gildong Hong',
    validity: 'from 2026-01-01 to 2026-12-31',
    reason: 'Your affiliation could not be verified.\nPlease contact your manager.',
    affiliation: 'Busan branch',
    title: 'Security training',
    sender: 'Jihye Kim',
    time: '2026-01-02 09:00',
    end: '2026-12-31',
    daysLeft: '7',
    day: '2026-01-31',
    days: '90',
  },
}

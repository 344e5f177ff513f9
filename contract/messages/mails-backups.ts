import type { Language } from './language.ts'
import type { MailText } from './mails.ts'

/** The problems of the backups; null for no problem of that kind. */
export interface BackupTrouble {
  /** End of the last complete backup, formatted for users; null if there is none. */
  last: string | null
  /** Reason why the last attempt failed. */
  failure: string | null
  /** Reason why the restore test failed. */
  testFailure: string | null
}

/** The email that notifies administrators of a problem with the backups. */
export const backupMails: Record<Language, (company: string, trouble: BackupTrouble) => MailText> = {
  ko: (company, { last, failure, testFailure }) => ({
    subject: `[${company}] 백업을 확인해주세요`,
    paragraphs: [
      testFailure === null
        ? '예정된 백업이 제때 끝나지 않았습니다. 이 상태에서 장애가 나면 마지막 백업 이후의 자료를 되살릴 수 없습니다.'
        : '마지막 백업으로 복구를 시험했으나 실패했습니다. 이 백업으로는 자료를 되살리지 못할 수 있습니다.',
      last === null ? '완료된 백업이 없습니다.' : `마지막으로 완료된 백업: ${last}(한국 시간)`,
      ...(failure === null ? [] : [`백업이 실패한 까닭: ${failure}`]),
      ...(testFailure === null ? [] : [`복구 시험이 실패한 까닭: ${testFailure}`]),
      '서버 운영 담당자에게 이 메일을 전달해주세요. 백업 폴더(BACKUP_DIR)의 여유 공간과 쓰기 권한, 서버 로그를 확인하면 됩니다.',
    ],
  }),
  en: (company, { last, failure, testFailure }) => ({
    subject: `[${company}] Please look at the backups`,
    paragraphs: [
      testFailure === null
        ? 'A scheduled backup was not finished in time. If something happens now, whatever was written since the last backup is lost.'
        : 'The last backup was restored for a test, and that failed. It may not bring your data back.',
      last === null ? 'There is no finished backup.' : `Last finished backup: ${last} (Korean time)`,
      ...(failure === null ? [] : [`Why the backup failed: ${failure}`]),
      ...(testFailure === null ? [] : [`Why the test restore failed: ${testFailure}`]),
      'Please pass this mail on to whoever runs the server: what to look at are the free space and the rights of the backup folder (BACKUP_DIR), and the log of the server.',
    ],
  }),
}

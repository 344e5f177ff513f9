import type { Language } from './language.ts'
import type { MailText } from './mails.ts'

/** The problems of the backups; null for no problem of that kind. */
export interface BackupTrouble {
  /** End of the last complete backup, formatted for users; null if there is none. */
  last: string | null
  /** Number of files that the last backup lacks. */
  missing: number
  /** Reason why the last attempt failed. */
  failure: string | null
  /** Reason why the restore test failed. */
  testFailure: string | null
}

/** The email that notifies administrators of a problem with the backups. */
export const backupMails: Record<Language, (company: string, trouble: BackupTrouble) => MailText> = {
  ko: (company, { last, missing, failure, testFailure }) => ({
    subject: `[${company}] 백업을 확인해주세요`,
    paragraphs: [
      testFailure !== null
        ? '마지막 백업의 복구 시험이 실패했습니다. 이 백업으로는 데이터를 복구하지 못할 수 있습니다.'
        : missing > 0
          ? `마지막 백업에 파일 ${missing}개가 없습니다. 저장소에서 사라진 파일입니다. 찾을 때까지 오래된 백업을 지우지 않습니다.`
          : '예정된 백업이 제때 끝나지 않았습니다. 이 상태에서 장애가 나면 마지막 백업 이후의 데이터를 복구할 수 없습니다.',
      last === null ? '완료된 백업이 없습니다.' : `마지막으로 완료된 백업: ${last}(한국 시간)`,
      ...(failure === null ? [] : [`백업이 실패한 이유: ${failure}`]),
      ...(testFailure === null ? [] : [`복구 시험이 실패한 이유: ${testFailure}`]),
      '서버 담당자에게 이 메일을 전달해주세요. 백업 폴더(BACKUP_DIR)의 여유 공간과 쓰기 권한, 서버 로그를 확인하면 됩니다.',
    ],
  }),
  en: (company, { last, missing, failure, testFailure }) => ({
    subject: `[${company}] Please check the backups`,
    paragraphs: [
      testFailure !== null
        ? 'The restore test of the last backup failed. Your data may not be recoverable from it.'
        : missing > 0
          ? `The last backup lacks ${missing} ${missing === 1 ? 'file' : 'files'} that the storage has lost. No old backup is deleted until they are found.`
          : 'A scheduled backup was not finished in time. If the server fails now, all data since the last backup is lost.',
      last === null ? 'There is no complete backup.' : `Last complete backup: ${last} (Korean time)`,
      ...(failure === null ? [] : [`Reason for the failed backup: ${failure}`]),
      ...(testFailure === null ? [] : [`Reason for the failed restore test: ${testFailure}`]),
      'Please forward this mail to the server operator. Check the free space and permissions of the backup folder (BACKUP_DIR), and the server log.',
    ],
  }),
}

import type { SystemFact, SystemJob, SystemPart, SystemProblem } from '../../settings.ts'

/** Texts of the system page. They load with it, not with every page. */
export const system = {
  lead: '이 화면은 응답한 서버에서 본 상태입니다.',
  loading: '시스템 상태를 불러오는 중입니다.',
  failed: '시스템 상태를 불러오지 못했습니다.',
  reload: '새로고침',
  allGood: '모두 정상입니다.',
  someWrong: (count: number) => `확인할 항목이 ${count}개 있습니다.`,
  states: { good: '정상', attention: '확인 필요', bad: '조치 필요' },
  unset: '설정되지 않음',
  none: '아직 없음',
  parts: {
    version: '버전',
    clock: '시계',
    database: '데이터베이스',
    storage: '첨부파일 저장소',
    mail: '메일',
    jobs: '자동 작업',
    backups: '백업',
    certificates: '인증서',
    logExport: '로그 내보내기',
    disk: '서버 디스크',
  } satisfies Record<SystemPart, string>,
  facts: {
    version: '마루',
    nodeVersion: 'Node.js',
    startedAt: '시작한 시각',
    serverTime: '서버의 시각',
    databaseTime: '데이터베이스의 시각',
    clockTrustedAt: '시계가 맞았던 마지막 시각',
    clockDoubtedSince: '자동 작업을 멈춘 시각',
    databaseKind: '종류',
    databaseVersion: 'PostgreSQL',
    databaseSize: '크기',
    storagePlace: '위치',
    freeBytes: '남은 공간',
    filesMissing: '없어진 파일',
    mailServer: '메일 서버',
    mailSentAt: '마지막으로 보낸 시각',
    mailsWaiting: '발송을 기다리는 메일',
    mailsRefused: '거부된 메일',
    jobRanAt: '마지막으로 끝난 시각',
    backupFolder: '위치',
    backupAt: '마지막 백업',
    backupSize: '크기',
    backupFailure: '실패한 이유',
    backupNextAt: '다음 백업',
    backupTestedAt: '마지막 복구 시험',
    backupCheckedAt: '마지막 체크섬 확인(암호화된 백업이라 복구 시험은 하지 않음)',
    backupTestFailure: '복구 시험이 실패한 이유',
    certificateMail: '메일 서버 인증서 만료',
    certificateStorage: '저장소 인증서 만료',
    certificateDatabase: '데이터베이스 인증서 만료',
    certificateSyslog: 'syslog 서버 인증서 만료',
    syslogServer: 'syslog 서버',
    syslogWaits: 'syslog로 보내지 못한 시간(초)',
    exportFolder: '파일 위치',
    exportWaits: '파일에 쓰지 못한 시간(초)',
    dataFolder: '위치',
    totalBytes: '전체 공간',
  } satisfies Record<SystemFact, string>,
  databaseKinds: { own: '마루에 포함된 데이터베이스', given: '별도의 데이터베이스 서버' },
  /** By the server's names. */
  jobs: {
    mail: '메일 발송',
    settings: '설정 반영',
    servers: '실행 중인 서버 확인',
    sessions: '만료된 로그인 정리',
    accounts: '계정 유효기간 처리 (매일 8시)',
    events: '웹훅 발송',
    'token-ends': '토큰 만료 예정 알림',
    'notification-mails': '알림 메일 발송',
    'daily-notification-mails': '하루 한 번 알림 메일 (매일 8시)',
    'access-log': '접속기록 서명',
    'access-log-copies': '접속기록 서명 복사',
    'access-log-months': '지난 접속기록 보관',
    'log-export-syslog': 'syslog로 로그 보내기',
    'log-export-files': '파일로 로그 내보내기',
    rows: '오래된 기록 정리',
    erasures: '보관 기간이 지난 정보 파기',
    counts: '건수 집계',
    'key-secrets': '이전 비밀값의 키 집계',
    files: '첨부파일 점검',
    certificates: '인증서 확인',
    backup: '백업',
    journal: '변경 로그(WAL) 보관',
  } satisfies Record<SystemJob, string> as Record<string, string>,
  noCertificates: '암호화(TLS)로 연결하는 메일 서버, 저장소, 데이터베이스가 없거나 아직 확인하지 않았습니다.',
  /** Each problem, and what to do about it. */
  problems: {
    clockDoubted:
      '시계가 하루 넘게 바뀌어 파기, 만료, 정지 등 날짜에 따른 자동 작업을 멈추었습니다. 서버 담당자에게 NTP로 시계를 맞추도록 요청해주세요. 시계가 맞다면 하루 뒤에 자동으로 다시 시작합니다. 바로 다시 시작하는 방법은 maru check 명령이 알려줍니다.',
    clockApart:
      '서버와 데이터베이스의 시각이 2초 넘게 다릅니다. 서버 담당자에게 두 시계를 NTP로 맞추도록 요청해주세요.',
    accessLogStopped:
      '접속기록을 남길 수 없어 개인정보를 다루는 요청을 모두 거부하고 있습니다. 서버 담당자에게 데이터베이스의 상태와 디스크의 남은 공간을 확인하도록 요청해주세요.',
    accessLogUnsigned:
      '접속기록에 서명할 수 없어 위조 여부를 확인하지 못할 수 있습니다. 서버 담당자에게 DATA_DIR의 쓰기 권한과 남은 공간을 확인하도록 요청해주세요.',
    databaseSettings:
      '데이터베이스의 설정을 변경해야 합니다. 변경할 내용은 maru check 명령이 알려줍니다. 서버 담당자에게 요청해주세요.',
    storageAway:
      '첨부파일 저장소를 사용할 수 없어 파일을 업로드하거나 내려받을 수 없습니다. 서버 담당자에게 저장소의 연결과 쓰기 권한을 확인하도록 요청해주세요.',
    sweepStopped:
      '저장소의 파일이 이 데이터베이스와 맞지 않아 파일 정리를 멈추었습니다. 이유와 해결 방법은 maru check 명령이 알려줍니다. 서버 담당자에게 요청해주세요.',
    scannerFails:
      '바이러스 검사 프로그램이 응답하지 않아 마지막 첨부파일을 검사하지 못했습니다. 서버 담당자에게 SCAN_COMMAND의 프로그램을 확인하도록 요청해주세요.',
    trailUnguarded:
      '데이터베이스 사용자가 감사 기록을 변경할 수 있습니다. 서버 담당자에게 DATABASE_OWNER_URL을 설정하도록 요청해주세요.',
    accessLogTampered:
      '접속기록이 서명된 내용과 다르거나, 서명이 없어졌거나, 이미 끝난 달에 기록이 추가되었습니다. 서버 담당자에게 maru check log 명령으로 확인하도록 요청해주세요.',
    accessLogNotCopied:
      '접속기록의 서명을 두 번째 장소에 복사하지 못하고 있습니다. 서버 담당자에게 ACCESS_LOG_COPY_URL을 확인하도록 요청해주세요.',
    storageLow: '저장소의 남은 공간이 5GB보다 적습니다. 공간을 늘리거나 필요 없는 첨부파일을 삭제해주세요.',
    filesMissing:
      '공지사항의 첨부파일 중 일부가 저장소에 없습니다. 백업에서 복구하거나 작성자에게 다시 업로드하도록 요청해주세요.',
    mailNone:
      '메일 서버가 설정되지 않아 인증번호와 알림이 전달되지 않습니다. 포털 설정에서 메일 서버를 저장하거나 SMTP_URL을 설정해주세요.',
    mailAway:
      '메일 서버에 연결할 수 없습니다. 연결되면 기다리던 메일을 자동으로 보냅니다. 포털 설정에서 테스트 메일을 보내 이유를 확인해주세요.',
    mailsLate: '15분 넘게 보내지 못한 메일이 있습니다. 포털 설정에서 테스트 메일을 보내 이유를 확인해주세요.',
    mailRefused: '메일 서버가 거부한 메일이 있습니다. 받는 사람의 주소와 보내는 사람을 확인해주세요.',
    jobFails: '실패한 자동 작업이 있습니다. 자동으로 다시 시도하며, 이유는 서버 로그에 있습니다.',
    jobStands: '오랫동안 끝나지 않은 자동 작업이 있습니다. 서버 로그를 확인하고 서버를 다시 시작해주세요.',
    jobPaused:
      '멈춰 있는 자동 작업이 있습니다. 시계가 맞지 않거나 디스크에 공간이 없으면 멈추고, 해결되면 자동으로 다시 시작합니다.',
    backupNone:
      '자동 백업이 설정되지 않았습니다. 다른 방법으로 백업하고 있지 않다면 서버 담당자에게 BACKUP_DIR을 설정하도록 요청해주세요.',
    backupFailed:
      '마지막 백업이 실패했습니다. 15분마다 다시 시도합니다. 아래의 이유를 서버 담당자에게 알려주세요.',
    backupLate:
      '예정된 백업이 제때 끝나지 않았습니다. 백업 폴더의 남은 공간과 쓰기 권한을 확인해주세요. 15분마다 다시 시도합니다.',
    backupTestFailed:
      '마지막 복구 시험이 실패했습니다. 이 백업으로는 데이터를 복구하지 못할 수 있습니다. 서버 담당자에게 알려주세요.',
    backupIncomplete: '마지막 백업에 저장소에서 없어진 파일이 빠져 있습니다. 저장소를 확인해주세요.',
    certificateEnds: '3주 안에 만료되는 인증서가 있습니다. 해당 서버의 담당자에게 갱신을 요청해주세요.',
    certificateEnded:
      '만료된 인증서가 있습니다. 갱신할 때까지 그 서버에 연결되지 않습니다. 담당자에게 바로 알려주세요.',
    logExportLate:
      '15분 넘게 내보내지 못한 로그가 있습니다. 없어진 로그는 없습니다. 서버 담당자에게 syslog 서버와 인증서, LOG_SYSLOG_URL, DATA_DIR의 남은 공간을 확인하도록 요청해주세요.',
    diskLow: '서버 디스크의 남은 공간이 1GB보다 적습니다. 가득 차면 저장이 멈춥니다. 바로 공간을 비워주세요.',
    diskFull: '서버 디스크에 공간이 없어 저장하는 요청을 모두 거부하고 있습니다. 바로 공간을 비워주세요.',
  } satisfies Record<SystemProblem, string>,
}

/** The texts of the system page that every language must have. */
export type SystemTexts = typeof system

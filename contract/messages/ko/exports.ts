/** Texts of the export of lists: the shared dialog, and the texts of each list in it (design/lists-and-counts#export). */
export const exports = {
  format: '파일 형식',
  formats: { xlsx: '엑셀 (XLSX)', csv: 'CSV' },
  columns: '열',
  shownColumns: '보이는 열만',
  allColumns: '모든 열',
  reason: '사유',
  password: '비밀번호 재입력',
  start: '내보내기',
  stop: '중단',
  progress: (size: string) => `내보내는 중… ${size}`,
  lists: {
    users: {
      title: '사용자 목록 내보내기',
      lead: (count: string) =>
        `검색한 사용자 ${count}명을 파일로 내보냅니다. 내보낸 기록은 사유와 함께 남습니다.`,
      reasonHint: '예: 2분기 계정 점검',
      fileName: '사용자',
      personal: {
        unmask: '전화번호와 이메일을 가리지 않고 내보내기',
        masked: '전화번호와 이메일은 일부가 가려집니다.',
      },
    },
    partners: {
      title: '파트너 코드 목록 내보내기',
      lead: (count: string) =>
        `검색한 파트너 코드 ${count}건을 파일로 내보냅니다. 내보낸 기록은 사유와 함께 남습니다.`,
      reasonHint: '예: 하반기 발급 한도 점검',
      fileName: '파트너_코드',
      personal: null,
    },
    keys: {
      title: '키 발급 이력 내보내기',
      lead: (count: string) =>
        `검색한 키 발급 이력 ${count}건을 파일로 내보냅니다. 내보낸 기록은 사유와 함께 남습니다.`,
      reasonHint: '예: 7월 발급 내역 확인',
      fileName: '키_발급_이력',
      personal: {
        unmask: '전화번호를 가리지 않고 내보내기',
        masked: '전화번호는 일부가 가려집니다. 발급 키는 항상 가려집니다.',
      },
    },
    audit: {
      title: '감사 기록 내보내기',
      lead: (count: string) =>
        `검색한 감사 기록 ${count}건을 파일로 내보냅니다. 내보낸 기록은 사유와 함께 남습니다.`,
      reasonHint: '예: 3분기 보안 점검',
      fileName: '감사_기록',
      personal: {
        unmask: '전화번호와 이메일을 가리지 않고 내보내기',
        masked: '전화번호와 이메일은 일부가 가려집니다.',
      },
    },
    access: {
      title: '접속기록 내보내기',
      lead: (count: string) =>
        `검색한 접속기록 ${count}건을 파일로 내보냅니다. 내보낸 기록은 사유와 함께 남습니다.`,
      reasonHint: '예: 월간 점검',
      fileName: '접속기록',
      personal: null,
    },
    leakPeople: {
      title: '유출된 사람 목록 내보내기',
      lead: (count: string) => `${count}명을 파일로 내보냅니다. 내보낸 기록은 사유와 함께 남습니다.`,
      reasonHint: '예: 유출 통지',
      fileName: '유출된_사람',
      personal: {
        unmask: '전화번호와 이메일을 가리지 않고 내보내기',
        masked: '전화번호와 이메일은 일부가 가려집니다.',
      },
    },
  },
}

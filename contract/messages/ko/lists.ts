/** Words that every list of the product shares: its filters, its states, its pager; `all` is the server's too. */
export const lists = {
  all: '전체',
  closed: (name: string) => `${name} (종료)`,
  submit: '조회',
  reset: '초기화',
  filters: '검색 조건',
  retry: '다시 시도',
  columns: '열 선택',
  resetColumns: '기본값으로',
  pager: {
    nav: '페이지 이동',
    first: '첫 페이지',
    previous: '이전 페이지',
    next: '다음 페이지',
    last: '마지막 페이지',
    page: (page: number) => `${page}페이지`,
    jump: '이동할 페이지',
    jumpHint: '페이지',
    size: '한 페이지에 표시할 개수',
    rows: (count: number) => `${count}개씩`,
  },
}

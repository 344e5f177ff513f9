import type { Messages } from '../ko.ts'

/** Texts that every list of the product shares: its filters, states and pager. The server uses `all` too. */
export const lists: Messages['lists'] = {
  all: 'All',
  closed: (name) => `${name} (closed)`,
  submit: 'Search',
  reset: 'Reset',
  clear: 'Show the whole list',
  filters: 'Filters',
  chips: 'Active filters',
  dropChip: (value) => `Clear ${value}`,
  presets: { label: 'Period', day: 'Today', week: 'This week', month: 'This month' },
  retry: 'Try again',
  export: 'Export',
  columns: 'Columns',
  resetColumns: 'Reset to default',
  columnsReset: 'The columns were reset to their default.',
  widthsReset: 'The column widths were fitted to their content.',
  widthOf: (header) => `Width of ${header}`,
  selection: {
    page: 'Select all on this page',
    row: (name) => `Select ${name}`,
    clear: 'Clear',
  },
  pager: {
    nav: 'Pages',
    first: 'First page',
    previous: 'Previous page',
    next: 'Next page',
    last: 'Last page',
    page: (page) => `Page ${page}`,
    jump: 'Go to page',
    jumpHint: 'Page',
    size: 'Rows per page',
    rows: (count: number) => `${count} rows`,
    compact: 'Compact rows',
  },
}

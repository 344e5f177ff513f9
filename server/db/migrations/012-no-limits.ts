import type { Migration } from '../migrate.ts'

/** No limit is null, as every other thing that is not there: -1 is what the wire says (rules/wire#values). */
export const noLimits: Migration = {
  name: '012-no-limits',
  sql: ['day', 'week', 'month', 'total']
    .map(
      (period) => `
alter table partners drop constraint partners_limit_${period}_check;
alter table partners alter column limit_${period} drop not null, alter column limit_${period} drop default;
update partners set limit_${period} = null where limit_${period} = -1;
alter table partners add constraint partners_limit_${period}_check check (limit_${period} >= 0);`,
    )
    .join('\n'),
}

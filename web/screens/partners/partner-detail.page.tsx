import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import { getPartnerUsage } from '../../../contract/keys.ts'
import { getPartner } from '../../../contract/partners.ts'
import { invalidate, prefetch, recordQuery } from '../../api/query.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { FormActions } from '../../ui/form-grid.tsx'
import { PartnerForm } from './partner-form.tsx'

const partnerQuery = (partnerCode: string) => recordQuery(getPartner, { partnerCode })

/** Asks for the partner that the address names. */
export function load({ partnerCode = '' }: { partnerCode?: string }): void {
  if (partnerCode !== '') void prefetch(partnerQuery(partnerCode))
}

/** /partner/detail?partnerCode={code} (rules/partners#edit-partner). */
export default function PartnerDetail() {
  const title = usePortalMessages().titles.partnerDetail
  const { partnerCode } = useSearch({ from: '/framed/partner/detail' })
  if (partnerCode === undefined || partnerCode === '') return <Navigate to="/partner/search" replace />
  return (
    <Page title={title}>
      <OpenPartner key={partnerCode} code={partnerCode} />
    </Page>
  )
}

function OpenPartner({ code }: { code: string }) {
  const t = usePortalMessages().partners
  const navigate = useNavigate()
  // The list as it was left, when the person came from it.
  const listSearch = useRouterState({ select: ({ location }) => location.state.partnerSearch })
  const toList = () => navigate({ to: '/partner/search', search: listSearch ?? {} })
  const partner = useQuery(partnerQuery(code))
  const { data: record, error } = partner

  if (!record) {
    // Silent on failure: said in place of the form, with a retry (rules/frame#server-away).
    return (
      <>
        <RecordStates
          query={partner}
          title={t.basicInfo}
          loading={t.detail.loading}
          failed={error?.isServerFailure === false ? error.msg : t.detail.failed}
        />
        <FormActions start={<Button onClick={() => void toList()}>{t.detail.list}</Button>}>
          {null}
        </FormActions>
      </>
    )
  }
  return (
    <PartnerForm
      record={record}
      reload={async () => {
        // The gauges are of the limits as they are now.
        void invalidate(getPartnerUsage)
        return (await partner.refetch()).data
      }}
      toList={toList}
    />
  )
}

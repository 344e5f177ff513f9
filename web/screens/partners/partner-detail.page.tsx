import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { getPartnerUsage } from '../../../contract/keys.ts'
import { getPartner } from '../../../contract/partners.ts'
import { invalidate, prefetch, recordQuery } from '../../api/query.ts'
import { RecordStates } from '../../forms/record-states.tsx'
import { Crumbs } from '../../layout/breadcrumbs.tsx'
import { useRecordName } from '../../layout/record-name.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { FormActions } from '../../ui/form-grid.tsx'
import { PartnerForm } from './partner-form.tsx'

/** Returns the query for a partner. */
const partnerQuery = (partnerCode: string) => recordQuery(getPartner, { partnerCode })

/** Prefetches the partner whose code is in the URL, if any. */
export function load({ partnerCode = '' }: { partnerCode?: string }): void {
  if (partnerCode !== '') void prefetch(partnerQuery(partnerCode))
}

/**
 * The page /partner/detail?partnerCode={code} (rules/partners#edit-partner): a partner to read, edit and delete.
 * Redirects to the search without a code.
 */
export default function PartnerDetail() {
  const { titles } = usePortalMessages()
  const listSearch = useListSearch()
  const { partnerCode } = useSearch({ from: '/framed/partner/detail' })
  if (partnerCode === undefined || partnerCode === '') return <Navigate to="/partner/search" replace />
  return (
    <Page
      title={titles.partnerDetail}
      crumbs={
        <Crumbs
          list={
            <Link to="/partner/search" search={listSearch}>
              {titles.partnerSearch}
            </Link>
          }
        />
      }
    >
      <OpenPartner key={partnerCode} code={partnerCode} />
    </Page>
  )
}

/** Returns the query parameters of the list from which the user came; {} if the user came from elsewhere. */
function useListSearch(): Record<string, string> {
  return useLocation({ select: ({ state }) => state.partnerSearch }) ?? {}
}

/**
 * Shows the form of a partner once it is loaded; until then its state, and a refusal or failure with a retry and a way
 * back to the list. Names the page by its code.
 */
function OpenPartner({ code }: { code: string }) {
  const t = usePortalMessages().partners
  const navigate = useNavigate()
  const listSearch = useListSearch()
  const toList = () => navigate({ to: '/partner/search', search: listSearch })
  const partner = useQuery(partnerQuery(code))
  const { data: record, error } = partner
  useRecordName(record?.partnerCode)

  if (!record) {
    // Silent on failure: said in place of the form, with a retry (rules/frame#server-unavailable).
    return (
      <>
        <RecordStates
          query={partner}
          title={t.basicInfo}
          loading={t.detail.loading}
          failed={error?.isServerFailure === false ? error.message : t.detail.failed}
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

import { expect, test } from 'vitest'
import type { Team } from '../../../forms/teams.ts'
import { nodesOf } from './organization-nodes.ts'

const team = (teamId: string, affiliationCode: string, parentId = '', userCount = 1): Team => ({
  teamId,
  affiliationCode,
  parentId,
  name: teamId,
  nameEn: '',
  label: teamId,
  path: teamId,
  userCount,
  version: '',
})

test('puts teams below their affiliation, before the affiliations below it, with the sum of their members', () => {
  const affiliations = [
    { value: 'A', label: '본사', depth: 0 },
    { value: 'B', label: '지사', depth: 1 },
    { value: 'C', label: '가족사', depth: 0 },
  ]
  const teams = [team('1', 'A'), team('2', 'A', '1', 3), team('3', 'B')]
  expect(nodesOf(affiliations, teams)).toEqual([
    {
      id: 'affiliation A',
      label: '본사',
      below: [
        {
          id: 'team 1',
          label: '1',
          count: 4,
          below: [{ id: 'team 2', label: '2', count: 3, below: [] }],
        },
        {
          id: 'affiliation B',
          label: '지사',
          below: [{ id: 'team 3', label: '3', count: 1, below: [] }],
        },
      ],
    },
    { id: 'affiliation C', label: '가족사', below: [] },
  ])
})

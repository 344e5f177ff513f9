// Teams and their members. Exports for other domains; see design/domains#import-order for the order.
export { teams } from './handlers.ts'
export {
  changeTeams,
  holdTeam,
  isInTeam,
  joinTeams,
  otherTeamNames,
  teamIdsOf,
  teamPath,
  teamPaths,
} from './members.ts'

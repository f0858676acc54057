/** The move of accounts and events to servers, and back, while hits are taken. */

export type { EventPlace } from "./copy-events.ts";
export { type FollowDeps, followMoves, moveFolder, rolesAt, untilNoHold, untilNoneIsStill } from "./hold-locks.ts";
export { MoveError } from "./move-error.ts";
export { type AccountsMove, copyAhead, type EventsMove, type Moved, moveRest } from "./run-move.ts";
export { checkAccountsTarget, checkEventsTarget, knownTargets } from "./targets.ts";

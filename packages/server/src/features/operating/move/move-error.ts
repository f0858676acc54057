/** Faults that prevent a move. */
export type MoveFault =
	| "target_missing"
	| "target_unreachable"
	| "target_too_old"
	| "target_not_empty"
	| "source_not_current"
	| "setting_elsewhere"
	| "move_under_way"
	| "other_user"
	| "others_at_work"
	| "collector_away"
	| "service_not_still"
	| "service_restarted"
	| "differs";

/** A move that is not made; the message is for the operator, without a secret. The stores in use are as they were. */
export class MoveError extends Error {
	override readonly name = "MoveError";

	constructor(fault: MoveFault, message: string) {
		super(message, { cause: { code: fault } });
	}
}

import type { Caller } from "../../../access/index.ts";

/** Author of a change. */
export interface Actor {
	/** Null = no signed-in user: the operator's command line or a schedule. */
	readonly userId: number | null;
	/** The superadmin who acts as this user. */
	readonly impersonatorId: number | null;
	/** Client address; null when the change comes from this machine. */
	readonly ip: string | null;
}

/** The actor of changes that no request asks for. */
export const systemActor: Actor = { userId: null, impersonatorId: null, ip: null };

/** The actor of a guarded request. */
export const actorOf = (request: { readonly caller: Caller; readonly ip: string }): Actor => ({
	userId: request.caller.userId,
	impersonatorId: request.caller.kind === "session" ? request.caller.impersonatorId : null,
	ip: request.ip,
});

/** A user who is not signed in yet, such as one who opens a link of a mail. */
export const userActor = (userId: number, ip: string): Actor => ({ userId, impersonatorId: null, ip });

import { ServiceError } from "../../../../platform/errors/service-error.ts";

/** Registration policy: invited users, anybody, or the operator only. */
export type Registration = "invited" | "open" | "closed";

const forbidden = (message: string) => new ServiceError("forbidden", { message });

/** Throws `forbidden` where strangers may not make accounts. It is asked before anything is looked up, so it says the same to all. */
export function checkOpenRegistration(registration: Registration): void {
	if (registration === "open") return;
	if (registration === "closed") checkInvitedRegistration(registration);
	throw forbidden("Accounts are made by invitation here. Ask somebody who uses this service, or who runs it, for one");
}

/** Throws `forbidden` where not even those who are invited may make accounts. */
export function checkInvitedRegistration(registration: Registration): void {
	if (registration !== "closed") return;
	throw forbidden("No accounts are made here. Ask whoever runs this service for one");
}

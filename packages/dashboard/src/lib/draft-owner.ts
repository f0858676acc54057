/** The id of the user whose drafts are in this tab. */
const OWNER = "footfall-drafts-of";

/** Removes the drafts of this tab, with everything else that it keeps for its user. */
export const dropDrafts = (): void => sessionStorage.clear();

/** Records the owner of drafts from now on. Those of another user are removed, and those of an unknown one after a sign-in. */
export function keepDraftsOf(userId: number, hasSignedIn = false): void {
	const owner = sessionStorage.getItem(OWNER);
	if (owner !== `${userId}` && (owner !== null || hasSignedIn)) dropDrafts();
	sessionStorage.setItem(OWNER, `${userId}`);
}

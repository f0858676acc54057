/** Where one goes after signing in: back to where one wanted to be, within this service alone. */
export function destination(search: string): string {
	const next = new URLSearchParams(search).get("next") ?? "/";
	return /^\/(?![/\\])/.test(next) && new URL(next, location.origin).origin === location.origin ? next : "/";
}

/** Loads the application as the user that has just signed in: nothing of the one before is left in memory. */
export const enter = (): void => location.assign(destination(location.search));

/** Where one goes after signing in: back to where one wanted to be, within this service alone. */
export function destination(search: string, origin: string): string {
	const next = new URLSearchParams(search).get("next") ?? "/";
	return /^\/(?![/\\])/.test(next) && new URL(next, origin).origin === origin ? next : "/";
}

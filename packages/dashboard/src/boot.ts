// Runs before the application is loaded and imports nothing of it. The requests that every page needs, with a session
// that is still valid, start while the rest is downloaded.

const boot = JSON.parse(document.getElementById("boot")?.textContent || "{}") as { session?: string };

async function refresh(): Promise<boolean> {
	const token = /(?:^|; )svc_csrf_token=([^;]*)/.exec(document.cookie)?.[1];
	const answer = await fetch("/api/v1/auth/refresh", {
		method: "POST",
		headers: { "X-CSRF-Token": decodeURIComponent(token ?? "") },
	});
	return answer.ok;
}

if (boot.session === "stale") {
	// Without HTTPS there are no locks.
	const asked = isSecureContext ? navigator.locks.request("footfall-session", refresh) : refresh();
	globalThis.footfallRefresh = asked.catch(() => false);
}

export {};

declare global {
	/** Under way since before the application started; false when the session is over. */
	var footfallRefresh: Promise<boolean> | undefined;
}

// Runs before the application has arrived. It imports nothing of it: what a daily reader always needs, a session that is
// still good, is asked for while the rest is on its way.

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

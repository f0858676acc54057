import { Failure } from "../lib/failure.ts";
import { withLock } from "../lib/with-lock.ts";
import { boot } from "./boot.ts";
import { isShared, sendShared } from "./shared.ts";

const lock = "footfall-session";
/** A lock whose name ends with the moment of a renewal. */
const renewed = "footfall-renewed ";
/** How long a renewal is known: requests that it made needless have failed by then. */
const knownMs = 30_000;
const channel = new BroadcastChannel("footfall-session");

/** True as long as there may be a session: the server's word, then what calls have shown. */
export const session = { mayExist: boot.session !== "none", started: globalThis.footfallRefresh };

/** The token that writes bring along; the server made it readable for this. */
const csrfToken = (): string => decodeURIComponent(/(?:^|; )svc_csrf_token=([^;]*)/.exec(document.cookie)?.[1] ?? "");

channel.onmessage = ({ data }) => {
	if (data === "ended" && !isShared) location.assign("/sign-in");
};

/**
 * Renews the session, once for all tabs: two renewals at once would look like a stolen token and end it.
 * @returns false when there is none any more.
 */
async function refresh(failedAt: number): Promise<boolean> {
	return withLock(lock, async () => {
		if (await isRenewedSince(failedAt)) return true;
		const response = await fetch("/api/v1/auth/refresh", { method: "POST", headers: { "X-CSRF-Token": csrfToken() } });
		if (!response.ok) return false;
		await noteRenewal();
		return true;
	});
}

/** Tabs that wait for the lock learn of it by another one: the browser knows of locks at once, of messages only soon. */
function noteRenewal(): Promise<void> {
	return new Promise((noted) => {
		void withLock(renewed + Date.now(), () => {
			noted();
			return new Promise((resolve) => setTimeout(resolve, knownMs));
		});
	});
}

async function isRenewedSince(moment: number): Promise<boolean> {
	if (!isSecureContext) return false;
	const { held = [] } = await navigator.locks.query();
	return held.some(({ name = "" }) => name.startsWith(renewed) && Number(name.slice(renewed.length)) > moment);
}

/** Sends a request as the signed-in user, or as whoever follows a shared link; an access token that has run out is renewed once. */
export async function send(url: string, init: RequestInit): Promise<Response> {
	if (isShared) return sendShared(url, init);
	await session.started;
	const began = Date.now();
	const first = await attempt(url, init);
	if (first.status !== 401 || !session.mayExist) return first;
	if (!(await refresh(began))) {
		session.mayExist = false;
		return first;
	}
	return attempt(url, init);
}

async function attempt(url: string, init: RequestInit): Promise<Response> {
	const headers = new Headers(init.headers);
	if (init.method !== undefined && init.method !== "GET") headers.set("X-CSRF-Token", csrfToken());
	try {
		return await fetch(url, { ...init, headers });
	} catch (error) {
		if (init.signal?.aborted) throw error;
		throw new Failure("The server cannot be reached.", { status: 0, code: "offline" });
	}
}

/** Tells the other tabs that the user has signed out. */
export function endSession(): void {
	session.mayExist = false;
	channel.postMessage("ended");
	location.assign("/sign-in");
}

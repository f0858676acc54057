import { dropDrafts } from "../lib/draft-owner.ts";
import { Failure } from "../lib/failure.ts";
import { withLock } from "../lib/with-lock.ts";
import { boot } from "./boot.ts";
import { isShared, sendShared } from "./shared.ts";

const lock = "footfall-session";
/** A lock whose name ends with the moment of a renewal. */
const renewed = "footfall-renewed ";
/** How long a renewal is known: requests that it made needless have failed by then. */
const knownMs = 30_000;
/** How long after a refused renewal that of another tab is waited for, where there are no locks. */
const otherTabMs = 300;
const channel = new BroadcastChannel("footfall-session");

/** True as long as there may be a session: the server's word, then what calls have shown. */
export const session = { mayExist: boot.session !== "none", started: globalThis.footfallRefresh };

/** The token that writes bring along; the server made it readable for this. */
const csrfToken = (): string => decodeURIComponent(/(?:^|; )svc_csrf_token=([^;]*)/.exec(document.cookie)?.[1] ?? "");

channel.onmessage = ({ data }) => {
	if (data !== "ended" || isShared) return;
	dropDrafts();
	location.assign("/sign-in");
};

/** How many renewals of this tab have ended, the last of them, and whether it is still under way. */
const renewals = { ended: 0, last: Promise.resolve(true), underWay: false };

/**
 * Renews the session, once for all tabs and for all requests that left before it ended: of two renewals at once, the
 * second is refused.
 * @returns false when there is none any more, or when a tab that no lock holds back was faster.
 */
async function refresh(left: { readonly at: number; readonly renewals: number }): Promise<boolean> {
	if (renewals.ended === left.renewals && !renewals.underWay) {
		renewals.underWay = true;
		renewals.last = withLock(lock, () => renew(left.at)).finally(() => {
			renewals.underWay = false;
			renewals.ended += 1;
		});
	}
	return renewals.last;
}

async function renew(leftAt: number): Promise<boolean> {
	if (!(await isRenewedSince(leftAt))) {
		const response = await attempt("/api/v1/auth/refresh", { method: "POST" });
		if (!response.ok) return false;
		await noteRenewal();
	}
	return true;
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

/** Sends a request as the signed-in user, or as the reader of a share link; an access token that has run out is renewed once. */
export async function send(url: string, init: RequestInit): Promise<Response> {
	if (isShared) return sendShared(url, init);
	await session.started;
	const left = { at: Date.now(), renewals: renewals.ended };
	const first = await attempt(url, init);
	if (first.status !== 401 || !session.mayExist) return first;
	if (await refresh(left)) return attempt(url, init);
	if (!isSecureContext) {
		// Another tab may have renewed it meanwhile, and its answer may come after the refusal of this one.
		await new Promise((resolve) => setTimeout(resolve, otherTabMs));
		const second = await attempt(url, init);
		if (second.status !== 401) return second;
	}
	session.mayExist = false;
	return first;
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
	dropDrafts();
	channel.postMessage("ended");
	location.assign("/sign-in");
}

import { Failure } from "../lib/failure.ts";
import type { Routes } from "./api.generated.ts";

/** Contents of a shared link and the bearer token that reads it, kept in memory only. */
export type SharedReport = Routes["POST /share/{token}/session"]["answer"];

/** True on the pages of shared links: no session is used there, and no cookie sent. */
export const isShared = /^\/(share|embed)\/[^/]/.test(globalThis.location?.pathname ?? "");

let opened: SharedReport | undefined;
const listeners = new Set<() => void>();

/** The open shared link; undefined on all other pages and until the link is opened. */
export const sharedReport = (): SharedReport | undefined => opened;

/** Notes that a link was opened, or that its bearer has ended. */
export function noteShared(report: SharedReport | undefined): void {
	opened = report;
	for (const listener of listeners) listener();
}

/** Is told whenever that changes; answers how to be told no more. */
export function onShared(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Sends a request as the reader of the link. */
export async function sendShared(url: string, init: RequestInit): Promise<Response> {
	const headers = new Headers(init.headers);
	const by = opened;
	if (by !== undefined) headers.set("Authorization", `Bearer ${by.access_token}`);
	try {
		const response = await fetch(url, { ...init, headers, credentials: "omit" });
		// The hour is over, or the link is another one now: it is asked for again.
		if (response.status === 401 && by !== undefined && by === opened) noteShared(undefined);
		return response;
	} catch (error) {
		if (init.signal?.aborted) throw error;
		throw new Failure("The server cannot be reached.", { status: 0, code: "offline" });
	}
}

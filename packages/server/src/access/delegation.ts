import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../platform/errors/service-error.ts";
import type { App } from "../platform/http/app.ts";
import { type Asker, askedBy, currentAsker } from "../platform/lib/asker.ts";
import type { Reader } from "./principal.ts";

interface Delegation {
	readonly caller: Reader;
	readonly countsReports: boolean;
}

const delegated = new AsyncLocalStorage<Delegation>();

/**
 * Runs `work`. Requests that it injects into the app count as those of `caller`, who need not show a credential again;
 * the guard of each route is checked as ever. The outer request stands for them in the limits, but with `countsReports`
 * those of a key to reports count as such.
 */
export function actingAs<T>(
	caller: Reader,
	work: () => Promise<T>,
	{ countsReports = false }: { readonly countsReports?: boolean } = {},
): Promise<T> {
	// Awaited inside, as an injected request begins when it is awaited.
	return delegated.run({ caller, countsReports }, async () => await work());
}

/** On whose behalf the present request was injected; undefined for a request from outside. */
export const currentDelegation = (): Delegation | undefined => delegated.getStore();

type Access = NonNullable<FastifyRequest["access"]>;

/**
 * Sets the caller of each guarded request as the asker of all its queries. Runs after the body is read, as the body's
 * reader continues in the context of the connection. A request injected by another one ends with that one.
 */
export function registerAsker(app: App): void {
	app.addHook("preHandler", (request, reply, done) => {
		if (request.access === null) done();
		else askedBy(askerOf(request.access, reply), done);
	});
}

function askerOf(access: Access, reply: FastifyReply): Asker {
	const id = idOf(access.principal);
	const organization = access.site?.organizationId ?? access.organization?.id;
	return {
		id,
		tenant: organization === undefined ? id : `organization:${organization}`,
		kind: "interactive",
		// A connection may carry the context of an earlier request on; an injected request has none.
		signal: (currentDelegation() && currentAsker()?.signal) ?? hangUpOf(reply),
	};
}

/** One of the callers that are counted apart, as the limits of requests do. */
function idOf(caller: Reader): string {
	switch (caller.kind) {
		case "key":
			return `key:${caller.tokenId}`;
		case "oauth":
			return `grant:${caller.grantId}`;
		case "share":
			return `share:${caller.linkId}`;
		case "session":
			return `user:${caller.userId}`;
	}
}

/** Aborts when the connection closes before the answer is complete. */
function hangUpOf({ raw }: FastifyReply): AbortSignal {
	const hangUp = new AbortController();
	const end = () => {
		if (!raw.writableEnded) hangUp.abort(new ServiceError("bad_request", "The client hung up"));
	};
	// The guard may have outlasted the connection.
	if (raw.closed) end();
	else raw.once("close", end);
	return hangUp.signal;
}

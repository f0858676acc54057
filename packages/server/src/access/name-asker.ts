import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../platform/errors/service-error.ts";
import type { App } from "../platform/http/app.ts";
import { type Asker, askedBy, currentAsker } from "../platform/lib/asker.ts";
import { currentDelegation } from "./delegation.ts";
import type { Reader } from "./principal.ts";

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
		if (!raw.writableEnded) hangUp.abort(new ServiceError("bad_request", { message: "The client hung up" }));
	};
	// The guard may have outlasted the connection.
	if (raw.closed) end();
	else raw.once("close", end);
	return hangUp.signal;
}

import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { Log } from "../log/log.ts";

interface Watching {
	/** Which `X-Forwarded-*` headers count. */
	readonly trustProxy: boolean | readonly string[];
	readonly log: Log;
}

const isLocal = proxyAddr.compile(["loopback", "linklocal", "uniquelocal"]);

/**
 * Warns once when a proxy tells where requests come from and is not believed: all its visitors are one then. Where a
 * proxy is named, only machines of the own network are taken for a forgotten one, as any stranger may send the header.
 */
export function watchForUntrustedProxy({ trustProxy, log }: Watching): (request: IncomingMessage) => void {
	if (trustProxy === true) return () => undefined;
	const isTrusted = trustProxy === false ? () => false : proxyAddr.compile([...trustProxy]);
	let isTold = false;
	return ({ headers, socket }) => {
		if (isTold || headers["x-forwarded-for"] === undefined) return;
		const address = socket.remoteAddress ?? "";
		if (isTrusted(address, 0) || (trustProxy !== false && !isLocal(address, 0))) return;
		isTold = true;
		log.warn(
			{ setting: "TRUST_PROXY" },
			"Requests come through a proxy that is not trusted: all visitors who come by it count as one. Name its address in TRUST_PROXY",
		);
	};
}

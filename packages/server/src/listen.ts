import { once } from "node:events";
import type { Server } from "node:http";
import type { Service } from "./composition/app.ts";
import { ConfigError } from "./platform/config/config.ts";
import { rootUrl } from "./platform/config/root-url.ts";
import type { ReadyConfig } from "./platform/config/secret-key.ts";
import { plainPort } from "./platform/config/tls-settings.ts";
import { createPlainServer } from "./platform/http/require-https.ts";

/** Where a service listens. */
export interface Listening {
	/** Its address on this machine; no slash at its end. */
	readonly address: string;
	/** Where browsers reach it; no slash at its end. */
	readonly rootUrl: string;
	close(): Promise<void>;
}

/**
 * Lets the service listen, by TLS where it has certificates, and beside it by plain HTTP. Throws `ConfigError` when a port
 * cannot be had.
 */
export async function listen({ app, certificates }: Service, config: ReadyConfig): Promise<Listening> {
	const { host, port, reusePort, publicUrl } = config;
	const shared = { host, reusePort };
	const address = await naming("PORT", port, app.listen({ ...shared, port }));
	if (certificates === undefined) return { address, rootUrl: publicUrl ?? address, close: async () => undefined };
	const secure = address.replace(/^http:/, "https:");
	const url = urlOf(config, secure);
	const plain = plainPort(config);
	const server = plain === undefined ? undefined : createPlainServer({ certificates, rootUrl: url });
	if (server !== undefined && plain !== undefined) {
		await naming("TLS_HTTP_PORT", plain, once(server.listen({ ...shared, port: plain }), "listening"));
	}
	certificates.start();
	return { address: secure, rootUrl: url, close: async () => server && close(server) };
}

/** Without a name of its own the service is where it listens. */
function urlOf(config: ReadyConfig, address: string): string {
	if (config.publicUrl === undefined && config.tlsAcmeDomains === undefined) return address;
	return rootUrl({ ...config, port: Number(new URL(address).port || "443") });
}

async function naming<Result>(setting: string, port: number, listening: Promise<Result>): Promise<Result> {
	try {
		return await listening;
	} catch (error) {
		const code = (error as { code?: unknown }).code;
		if (code === "EADDRINUSE") throw new ConfigError(`${setting} ${port} is in use by another program`);
		if (code === "EACCES") throw new ConfigError(`${setting} ${port} may not be used by this user`);
		if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
			throw new ConfigError("HOST is not an address of this machine");
		throw error;
	}
}

async function close(server: Server): Promise<void> {
	server.closeAllConnections();
	await new Promise((done) => server.close(done));
}

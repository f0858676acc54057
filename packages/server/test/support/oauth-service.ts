import { createServer } from "node:http";
import { freePort } from "./free-port.ts";
import { listenLocally } from "./local-server.ts";
import { type McpSite, openMcpSite } from "./mcp-site.ts";

/** A service that listens where its own metadata say, as standard clients demand. */
export interface OAuthService extends McpSite {
	/** The issuer: `http://127.0.0.1:…`. */
	readonly root: string;
}

/** Opens the service with seeded sites on a port of this machine. */
export async function openOAuthService(): Promise<OAuthService> {
	// The address has to be known before the service is built.
	const port = await freePort();
	const root = `http://127.0.0.1:${port}`;
	const site = await openMcpSite({ env: { PUBLIC_URL: root, COOKIE_SECURE: "false" } });
	await site.app.address(port);
	return { ...site, root };
}

/** The server of an app, to which the user comes back. */
export interface AppServer {
	/** The app's redirect address. */
	readonly callback: string;
	/** The addresses with which browsers came back, in order. */
	readonly came: URL[];
	close(): Promise<void>;
}

/** Opens it on loopback. */
export async function openAppServer(): Promise<AppServer> {
	const came: URL[] = [];
	const server = createServer((request, response) => {
		const url = new URL(request.url ?? "/", "http://app");
		if (url.pathname === "/callback") came.push(url);
		response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
		response.end("<!doctype html><title>Connected</title><h1>Connected</h1>");
	});
	const { port, close } = await listenLocally(server);
	return { callback: `http://127.0.0.1:${port}/callback`, came, close };
}

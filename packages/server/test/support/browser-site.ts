import { createServer } from "node:http";
import { listenLocally } from "./local-server.ts";

export interface BrowserSite {
	/** Origin under a name ending in `.test`, which the test browser leads to this machine. */
	readonly origin: string;
	close(): Promise<void>;
}

/** Serves HTML by path under `host`, a name ending in `.test`; other paths answer 404. */
export async function openBrowserSite(host: string, pages: Readonly<Record<string, string>>): Promise<BrowserSite> {
	const server = createServer((request, response) => {
		const html = pages[new URL(request.url ?? "/", "http://site").pathname];
		response.writeHead(html === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
		response.end(html ?? "");
	});
	const { port, close } = await listenLocally(server);
	return { origin: `http://${host}:${port}`, close };
}

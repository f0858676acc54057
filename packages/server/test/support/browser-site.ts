import { serveLocally } from "./local-server.ts";

export type BrowserSite = Awaited<ReturnType<typeof openBrowserSite>>;

/** Serves HTML by path under `host`, a name ending in `.test`, which the test browser leads to this machine; other paths answer 404. */
export async function openBrowserSite(host: string, pages: Readonly<Record<string, string>>) {
	const { port, close } = await serveLocally(({ path }) => {
		const body = pages[new URL(path, "http://site").pathname];
		return { status: body === undefined ? 404 : 200, headers: { "content-type": "text/html; charset=utf-8" }, body };
	});
	return { origin: `http://${host}:${port}`, close };
}

import { readFileSync } from "node:fs";
import { runProgram } from "../../packages/server/test/support/command.ts";
import { runService } from "../../packages/server/test/support/service-process.ts";
import { until } from "../../packages/server/test/support/until.ts";

const browser = {
	"content-type": "text/plain",
	"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
	"accept-language": "en",
};
const password = "correct horse battery staple 7";

/**
 * Starts an installed `footfall` on a new directory, makes an account, a site and a key with its commands, sends a hit and answers the
 * page views that the report has of it. Pages, API reference and script must be there too.
 */
export async function firstFigure(
	program: string,
	dataDir: string,
	around: Readonly<Record<string, string>> = {},
): Promise<number> {
	const env = { ...around, DATA_DIR: dataDir, RUNTIME_DIRECTORY: dataDir, RATE_LIMIT_ENABLED: "false" };
	const give = async (args: string, input = "") => {
		const { out, error, code } = await runProgram(program, args.split(" "), { env, input });
		if (code !== 0) throw new Error(`footfall ${args}: ${error}`);
		return out;
	};
	const service = runService(["start"], env, program);
	try {
		const address = await service.listening;
		const get = async (path: string, headers: Record<string, string> = {}) => {
			const response = await fetch(address + path, { headers });
			const text = await response.text();
			if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
			return text;
		};
		await give("users create --email you@example.com --name Ann --superadmin --password-stdin", password);
		await give("sites create --name Shop --domain shop.example --timezone Europe/Madrid");
		const key = /svc_\S{20,}/.exec(await give("tokens create --user you@example.com --name k --scope stats:read"))?.[0];
		const script = /src="(\/assets\/[^"]+\.js)"/.exec(await get("/sites/shop"))?.[1];
		await Promise.all([get("/docs/"), get(script ?? "/no-script-in-the-page"), get("/readyz")]);
		let token: string | undefined;
		// A new site is known to the collector within seconds.
		await until(async () => {
			token = /M[A-Za-z0-9_-]{57}/.exec(await (await fetch(`${address}/t.js?id=shop`)).text())?.[0];
			return token !== undefined;
		});
		const body = JSON.stringify({ a: "shop", t: token, u: "https://shop.example/tents", r: "", z: "Europe/Madrid" });
		const hit = await fetch(`${address}/event`, { method: "POST", headers: browser, body });
		if (hit.status !== 204) throw new Error(`/event: ${hit.status}`);
		let views = 0;
		await until(async () => {
			const report = JSON.parse(
				await get("/api/v1/stats/overview?site_id=shop&period=today", { "x-api-key": key ?? "" }),
			);
			views = report.data.traffic.page_views;
			return views > 0;
		});
		return views;
	} finally {
		service.child.kill("SIGTERM");
		await service.ended;
	}
}

/** The version that a manifest names. */
export const versionIn = (manifest: string): string => JSON.parse(readFileSync(manifest, "utf8")).version;

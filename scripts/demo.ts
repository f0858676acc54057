// A shop with a year's traffic and visitors who are there now, to look around in: `npm run demo`. Nothing of it is kept.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFootfall, startService } from "../bench/support/service.ts";
import { readTrackerToken } from "../bench/support/site.ts";
import { startLiveVisits } from "./demo/live-visits.ts";

const owner = { email: "owner@demo.example", password: "demo of a whole shop" };
const guest = { email: "guest@demo.example", password: "demo for everybody" };
const port = Number(process.env.PORT ?? 3000);

const folder = mkdtempSync(join(tmpdir(), "footfall-demo-"));
const env = {
	PATH: process.env.PATH,
	DATA_DIR: join(folder, "data"),
	PORT: String(port),
	// The visitors' addresses stand in a header; the browser comes by http.
	TRUST_PROXY: "true",
	COOKIE_SECURE: "false",
	LOG_LEVEL: "error",
};

async function createUser({ email, password }: typeof owner, name: string, ...options: string[]): Promise<void> {
	await runFootfall(
		env,
		["users", "create", "--email", email, "--name", name, "--password-stdin", ...options],
		password,
	);
}

/** Gives the guest the shop to look at, and nothing to change. */
async function admitGuest(url: string): Promise<void> {
	const post = async (path: string, body: object, headers = {}) => {
		const answer = await fetch(`${url}/api/v1${path}`, {
			method: "POST",
			headers: { "Content-Type": "application/json", ...headers },
			body: JSON.stringify(body),
		});
		if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
		return ((await answer.json()) as { data: { access_token: string; user: { id: number } } }).data;
	};
	const [{ access_token }, { user }] = [await post("/auth/token", owner), await post("/auth/token", guest)];
	const headers = { Authorization: `Bearer ${access_token}` };
	await post("/sites/shop/users", { user_id: user.id, role: "viewer" }, headers);
}

process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
console.log("Filling a shop with 12 months of visits …");
await createUser(owner, "Olivia Owner", "--superadmin");
await createUser(guest, "Guest");
const site = ["--name", "Shop", "--domain", "shop.example", "--timezone", "Europe/Madrid", "--currency", "EUR"];
await runFootfall(env, ["sites", "create", ...site, "--owner", owner.email]);
await runFootfall(env, ["seed", "--site", "shop", "--rows", "600000", "--days", "400"]);
const service = await startService(env);
await admitGuest(service.url).catch(async (error) => {
	await service.stop();
	throw error;
});
const token = await readTrackerToken(service.url, "shop");
const stopVisits = startLiveVisits(service.port, { host: `127.0.0.1:${service.port}`, siteId: "shop", token });

console.log(`
  Open       ${service.url}/sites/shop
  Email     ${guest.email}
  Password   ${guest.password}

The guest may look at everything and change nothing; ${owner.email} with "${owner.password}" may change all.
Visitors come as long as this runs. Ctrl-C ends it and removes the data.`);

let isEnding = false;
async function end(): Promise<void> {
	if (isEnding) return;
	isEnding = true;
	stopVisits();
	await service.stop();
	process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end());

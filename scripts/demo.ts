// A shop with a year's traffic and visitors who are there now, to look around in: `npm run demo`. Nothing of it is kept.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFootfall, startService } from "../bench/support/service.ts";
import { readTrackerToken } from "../bench/support/site.ts";
import { askForInsights, furnish, post } from "./demo/furnish.ts";
import { startLiveVisits } from "./demo/live-visits.ts";

interface SignedIn {
	readonly access_token: string;
	readonly user: { readonly id: number };
}

const owner = { email: "owner@demo.example", password: "demo of a whole shop" };
const guest = { email: "guest@demo.example", password: "demo for everybody" };
const timezone = "Europe/Madrid";
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

/** Signs the owner in, gives the guest the shop to look at and nothing to change, and fills its screens. */
async function prepare(url: string): Promise<void> {
	const [{ access_token }, { user }] = [
		await post<SignedIn>(url, "/auth/token", owner),
		await post<SignedIn>(url, "/auth/token", guest),
	];
	await post(url, "/sites/shop/users", { user_id: user.id, role: "viewer" }, access_token);
	await furnish(url, access_token, timezone);
}

process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
console.log("Filling a shop with 12 months of visits …");
await createUser(owner, "Olivia Owner", "--superadmin");
await createUser(guest, "Guest");
const site = ["--name", "Shop", "--domain", "shop.example", "--timezone", timezone, "--currency", "EUR"];
await runFootfall(env, ["sites", "create", ...site, "--owner", owner.email]);
await runFootfall(env, ["seed", "--site", "shop", "--rows", "1200000", "--days", "400"]);
// A week that is busier than the one before, for the rules to find.
await runFootfall(env, ["seed", "--site", "shop", "--rows", "12000", "--days", "6", "--append", "--seed", "2"]);
askForInsights(env.DATA_DIR);
const service = await startService(env);
await prepare(service.url).catch(async (error) => {
	await service.stop();
	throw error;
});
const token = await readTrackerToken(service.url, "shop");
const stopVisits = startLiveVisits(
	service.port,
	{ host: `127.0.0.1:${service.port}`, siteId: "shop", token },
	timezone,
);

console.log(`
  Open       ${service.url}/sites/shop
  Email     ${guest.email}
  Password   ${guest.password}

The guest can see everything and change nothing; ${owner.email} with "${owner.password}" can change everything.
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

import { runFootfall } from "./service.ts";

/** A site made for a measurement, with a key that reads its reports. */
export interface BenchSite {
	readonly id: string;
	readonly apiKey: string;
}

/** Credentials of the owner of the measured sites. */
export const benchOwner = { email: "bench@footfall.example", password: "a long passphrase to measure with" };

/** Makes an owner, a site for `shop.example` and a key, through the command line as an operator would. */
export async function createBenchSite(env: NodeJS.ProcessEnv, timezone = "Europe/Madrid"): Promise<BenchSite> {
	const { email, password } = benchOwner;
	await runFootfall(
		env,
		["users", "create", "--email", email, "--name", "Bench", "--password-stdin", "--superadmin"],
		password,
	);
	const site = ["sites", "create", "--owner", email, "--name", "Shop", "--domain", "shop.example"];
	const { id } = JSON.parse(await runFootfall(env, [...site, "--timezone", timezone, "--json"]));
	const token = [
		"tokens",
		"create",
		"--user",
		email,
		"--name",
		"bench",
		"--scope",
		"stats:read",
		"sites:read",
		"--json",
	];
	const { token: apiKey } = JSON.parse(await runFootfall(env, token));
	return { id, apiKey };
}

/** Signs the owner in; what requests then carry. */
export async function ownerHeaders(url: string): Promise<{ readonly authorization: string }> {
	const response = await fetch(`${url}/api/v1/auth/token`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(benchOwner),
	});
	const { data } = (await response.json()) as { data: { access_token: string } };
	return { authorization: `Bearer ${data.access_token}` };
}

/** The token in the tracker script, without which hits are refused. */
export async function readTrackerToken(url: string, siteId: string): Promise<string> {
	const script = await (await fetch(`${url}/t.js?id=${siteId}`)).text();
	const texts = script.match(/[\w-]{50,64}/g) ?? [];
	const token = texts.find((text) => /^\d{10}:[0-9a-f]{32}$/.test(Buffer.from(text, "base64url").toString("latin1")));
	if (token === undefined) throw new Error("the tracker script holds no token");
	return token;
}

/** A second site of the same owner, without a key of its own. */
export async function createNeighbour(env: NodeJS.ProcessEnv): Promise<string> {
	const site = [
		"sites",
		"create",
		"--owner",
		benchOwner.email,
		"--name",
		"Neighbour",
		"--domain",
		"neighbour.example",
		"--json",
	];
	return JSON.parse(await runFootfall(env, site)).id;
}

/** A question to the reporting API with the site's key: a POST where there is a body. Throws unless the answer is 200. */
export async function readReport<Body>(url: string, site: BenchSite, path: string, body?: object): Promise<Body> {
	const separator = path.includes("?") ? "&" : "?";
	const response = await fetch(`${url}/api/v1${path}${separator}site_id=${site.id}`, {
		...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
		headers: { "x-api-key": site.apiKey, ...(body !== undefined && { "content-type": "application/json" }) },
	});
	if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
	return (await response.json()) as Body;
}

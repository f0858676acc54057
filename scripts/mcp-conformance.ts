// The public conformance tests of the Model Context Protocol, run against the service: `npm run conformance`.
// It fails when a check fails for a reason that is not known.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchEnv, startService } from "../bench/support/service.ts";
import { benchOwner, createBenchSite } from "../bench/support/site.ts";
import { freePort } from "../packages/server/test/support/free-port.ts";
import { reasonOf } from "./lib/conformance-reasons.ts";
import { type ConformanceCheck, requiredScenarios, runConformance } from "./lib/conformance-tool.ts";

/** Both revisions that clients speak: with a handshake, and without. */
const REVISIONS = ["2025-11-25", "2026-07-28"];

const listen = (server: Server): Promise<number> =>
	new Promise((resolve) => {
		server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
	});

/** The tool sends no credential to a server; this puts a key on what passes and leaves the rest as it is. */
function keyedProxy(port: number, apiKey: string): Server {
	return createServer((incoming, outgoing) => {
		const { method = "GET", url: path, headers } = incoming;
		const options = { host: "127.0.0.1", port, path, method, headers: { ...headers, "x-api-key": apiKey } };
		const passed = request(options, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
			answer.pipe(outgoing);
		});
		passed.on("error", () => outgoing.destroy());
		incoming.pipe(passed);
	});
}

async function asked<Answer>(url: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
	const response = await fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
	return (await response.json()) as Answer;
}

/** The user's steps in a browser: signs in, approves, and follows the redirect to the app. */
async function approve(api: string, authorizationUrl: string, siteId: string): Promise<void> {
	const { location } = Object.fromEntries((await fetch(authorizationUrl, { redirect: "manual" })).headers);
	const requestId = new URL(String(location)).searchParams.get("request_id");
	const signedIn = await asked<{ data: { access_token: string } }>(`${api}/auth/token`, benchOwner);
	const { data } = await asked<{ data: { redirect_to: string } }>(
		`${api}/oauth/consent/${requestId}/decision`,
		{ decision: "approve", site_id: siteId },
		{ authorization: `Bearer ${signedIn.data.access_token}` },
	);
	await fetch(data.redirect_to);
}

async function checkAuthorization(root: string, siteId: string): Promise<ConformanceCheck[]> {
	const api = `${root}/api/v1`;
	const port = await freePort();
	const registration = { client_name: "Conformance", redirect_uris: [`http://127.0.0.1:${port}/callback`] };
	const { client_id: clientId } = await asked<{ client_id: string }>(`${api}/oauth/register`, registration);
	const approvals: Promise<void>[] = [];
	const args = ["--url", root, "--client-id", clientId, "--resource", `${root}/mcp`, "--port", String(port)];
	const checks = await runConformance(["authorization", ...args], (text) => {
		const url = /^http\S+\/oauth\/authorize\?\S+$/m.exec(text)?.[0];
		const isReady = url !== undefined && text.includes("Callback server started");
		if (isReady && approvals.length === 0) approvals.push(approve(api, url, siteId));
	});
	await Promise.all(approvals);
	return checks;
}

async function checkServer(port: number, revision: string): Promise<ConformanceCheck[]> {
	const required = await requiredScenarios(revision);
	const url = `http://127.0.0.1:${port}/mcp`;
	const checks = await runConformance(["server", "--url", url, "--requirements", revision]);
	return checks.filter(({ scenario }) => required.has(scenario));
}

/** Prints what was found; answers the number of failures without a known reason. */
function report(title: string, checks: readonly ConformanceCheck[]): number {
	const failures = checks.filter(({ status }) => status === "FAILURE");
	const unknown = failures.filter((check) => reasonOf(check) === undefined);
	const passed = checks.filter(({ status }) => status === "SUCCESS").length;
	console.log(
		`${title}: ${passed} passed, ${failures.length - unknown.length} not applicable, ${unknown.length} failed`,
	);
	for (const [reason, list] of Map.groupBy(failures, (check) => reasonOf(check) ?? "FAILED")) {
		console.log(`  ${reason} (${list.length})`);
		for (const { scenario, id, errorMessage } of list) {
			console.log(`    ${scenario}: ${id}${reason === "FAILED" ? `: ${errorMessage}` : ""}`);
		}
	}
	return checks.length === 0 ? 1 : unknown.length;
}

const dataDir = await mkdtemp(join(tmpdir(), "footfall-conformance-data-"));
try {
	const env = { ...benchEnv(dataDir, await freePort()), RATE_LIMIT_ENABLED: "false" };
	const site = await createBenchSite(env);
	const service = await startService(env);
	const proxy = keyedProxy(service.port, site.apiKey);
	const port = await listen(proxy);
	let failed = 0;
	try {
		failed += report("Authorization server", await checkAuthorization(service.url, site.id));
		for (const revision of REVISIONS) failed += report(`MCP server, ${revision}`, await checkServer(port, revision));
	} finally {
		proxy.closeAllConnections();
		proxy.close();
		await service.stop();
	}
	process.exitCode = failed === 0 ? 0 : 1;
} finally {
	await rm(dataDir, { recursive: true, force: true });
}

// How long the token endpoint takes: `npm run bench:oauth -- [tokens]`; with TEST_DATABASE_URL accounts are kept in that
// PostgreSQL.
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine } from "../support/machine.ts";
import { quantile } from "../support/quantile.ts";
import { benchEnv, startService } from "../support/service.ts";
import { benchOwner, createBenchSite } from "../support/site.ts";

const RUNS = Number(process.argv[2] ?? 1000);
const [WARM_UP, AT_ONCE] = [100, 8];
const TARGET_MS = 20;
const redirectUri = "https://app.example/callback";
const verifier = "a-verifier-of-43-characters-or-more_0123456789";
const challenge = createHash("sha256").update(verifier).digest("base64url");

const row = (label: string, value: string) => console.log(`${label.padEnd(56)} ${value}`);
const ms = (value: number) => `${value.toFixed(2)} ms`;
const agent = new Agent({ keepAlive: true });

interface Call {
	readonly url: string;
	readonly form?: Readonly<Record<string, string>>;
	readonly json?: object;
	readonly bearer?: string;
}

interface Answer {
	readonly ms: number;
	readonly status: number;
	readonly location: string;
	/** A text of the answer, in its envelope or without one; throws when it is not there. */
	readonly field: (name: string) => string;
}

function fieldOf(text: string, name: string): string {
	const body = JSON.parse(text);
	const value: unknown = (body.data ?? body)[name];
	if (typeof value !== "string") throw new Error(`the answer has no ${name}`);
	return value;
}

/** One request, timed until the whole answer is here; throws for an error. */
function send({ url, form, json, bearer }: Call): Promise<Answer> {
	const payload = form === undefined ? json && JSON.stringify(json) : new URLSearchParams(form).toString();
	const headers = {
		...(payload !== undefined && {
			"content-type": form === undefined ? "application/json" : "application/x-www-form-urlencoded",
		}),
		...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
	};
	return new Promise((resolve, reject) => {
		const began = performance.now();
		const sent = request(url, { agent, method: payload === undefined ? "GET" : "POST", headers }, (response) => {
			let text = "";
			response.setEncoding("utf8").on("data", (chunk: string) => {
				text += chunk;
			});
			response.on("end", () => {
				const { statusCode: status = 0, headers: answered } = response;
				if (status >= 400) return reject(new Error(`${url} answered ${status}: ${text}`));
				const time = performance.now() - began;
				resolve({ ms: time, status, location: String(answered.location), field: (name) => fieldOf(text, name) });
			});
		});
		sent.on("error", reject);
		sent.end(payload);
	});
}

/** An app with a user who allows whatever it asks. */
async function openApp(root: string, siteId: string) {
	const api = `${root}/api/v1`;
	const registration = { redirect_uris: [redirectUri], client_name: "Bench" };
	const client = await send({ url: `${api}/oauth/register`, json: registration });
	const login = await send({ url: `${api}/auth/token`, json: benchOwner });
	const clientId = client.field("client_id");
	const query = new URLSearchParams({
		response_type: "code",
		client_id: clientId,
		redirect_uri: redirectUri,
		scope: "analytics:read offline_access",
		code_challenge: challenge,
		code_challenge_method: "S256",
	});
	const code = async (): Promise<string> => {
		const { location } = await send({ url: `${api}/oauth/authorize?${query}` });
		const id = new URL(location).searchParams.get("request_id");
		const decided = await send({
			url: `${api}/oauth/consent/${id}/decision`,
			json: { decision: "approve", site_id: siteId },
			bearer: login.field("access_token"),
		});
		return new URL(decided.field("redirect_to")).searchParams.get("code") ?? "";
	};
	const url = `${api}/oauth/token`;
	const exchange = (value: string) => {
		const proof = { code: value, code_verifier: verifier, redirect_uri: redirectUri };
		return send({ url, form: { grant_type: "authorization_code", ...proof, client_id: clientId } });
	};
	const refresh = (token: string) =>
		send({ url, form: { grant_type: "refresh_token", refresh_token: token, client_id: clientId } });
	return { code, exchange, refresh };
}

function report(label: string, times: number[]): number {
	const sorted = times.sort((a, b) => a - b);
	const figures = ([0.5, 0.95, 0.99] as const).map((q) => `p${q * 100} ${ms(quantile(sorted, q))}`);
	row(label, figures.join(", "));
	return quantile(sorted, 0.95);
}

/** Measures `times` runs after some to warm up; each hands its state to the next. */
async function chain<State>(
	times: number,
	state: State,
	step: (state: State) => Promise<{ ms: number; next: State }>,
): Promise<number[]> {
	const measured: number[] = [];
	let current = state;
	for (let run = -WARM_UP; run < times; run++) {
		const { ms: time, next } = await step(current);
		if (run >= 0) measured.push(time);
		current = next;
	}
	return measured;
}

async function measure(root: string, siteId: string): Promise<void> {
	const app = await openApp(root, siteId);
	const exchanged = await chain(RUNS, undefined, async () => {
		const { ms: time } = await app.exchange(await app.code());
		return { ms: time, next: undefined };
	});
	const exchangeP95 = report(`exchange of a code (${RUNS}, one after the other)`, exchanged);
	const refreshes = async (times: number) => {
		const exchanged = await app.exchange(await app.code());
		return chain(times, exchanged.field("refresh_token"), async (token) => {
			const answer = await app.refresh(token);
			return { ms: answer.ms, next: answer.field("refresh_token") };
		});
	};
	const refreshP95 = report(`refresh (${RUNS}, one after the other)`, await refreshes(RUNS));
	const share = Math.ceil(RUNS / AT_ONCE);
	const together = await Promise.all(Array.from({ length: AT_ONCE }, () => refreshes(share)));
	report(`refresh, ${AT_ONCE} apps at a time`, together.flat());
	if (Math.max(exchangeP95, refreshP95) < TARGET_MS) return;
	console.error(`The token endpoint's p95 is not under ${TARGET_MS} ms`);
	process.exitCode = 1;
}

const dataDir = await mkdtemp(join(tmpdir(), "footfall-bench-oauth-"));
const { TEST_DATABASE_URL: databaseUrl } = process.env;
const env = {
	...benchEnv(dataDir),
	RATE_LIMIT_ENABLED: "false",
	...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
};
try {
	row("machine", describeMachine());
	row("accounts in", databaseUrl === undefined ? "SQLite" : "PostgreSQL");
	const site = await createBenchSite(env);
	const service = await startService(env);
	try {
		await measure(service.url, site.id);
	} finally {
		await service.stop();
	}
} finally {
	agent.destroy();
	await rm(dataDir, { recursive: true, force: true });
}

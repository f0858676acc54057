import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { sendHit, type TestHit } from "./hits.ts";
import { runService, type ServiceProcess } from "./service-process.ts";
import { insertTestUser, password } from "./test-users.ts";

const secretKey = "a secret of the tests, 32 characters or more";

type Answer = { readonly status: number; readonly headers: Headers; readonly body: Body };
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not
type Body = any;

/** A process of the service that a test has started. */
export interface Started extends ServiceProcess {
	/** A request as `GET /sites`, below the version prefix; others name a whole path, as `GET //livez`. */
	call(route: string, options?: { readonly token?: string; readonly body?: unknown }): Promise<Answer>;
	/** Sends a hit as a browser does; answers the status. */
	hit(hit: TestHit): Promise<number>;
}

/** Processes of one service with roles of their own. */
export interface SplitProcesses {
	/** The directory that processes get when they name none. */
	readonly dataDir: string;
	/** Starts a process and waits until it listens. */
	start(roles: string, env?: Readonly<Record<string, string>>): Promise<Started>;
	/** Makes a user; answers a token for the API of a process. */
	signIn(api: Started): Promise<string>;
	/** Ends all processes and removes what they have left. */
	close(): Promise<void>;
}

/** Nothing is started yet. */
export function splitProcesses(): SplitProcesses {
	const root = mkdtempSync(join(tmpdir(), "footfall-split-"));
	const dataDir = join(root, "data");
	const started: ServiceProcess[] = [];
	return {
		dataDir,
		async start(roles, more = {}) {
			const usual = { DATA_DIR: dataDir, SECRET_KEY: secretKey, COOKIE_SECURE: "false", TRUST_PROXY: "true" };
			const service = runService(["start"], { ...usual, ROLES: roles, ...more });
			started.push(service);
			const address = await service.listening;
			return { ...service, call: (route, options) => call(address, route, options), hit: hitter(address) };
		},
		async signIn(api) {
			const email = "user@example.com";
			const metadata = await openMetadata({ dataDir });
			await insertTestUser({ metadata, clock: systemClock }, { email, name: "Ann", role: "user" });
			await metadata.destroy();
			const { body } = await api.call("POST /auth/token", { body: { email, password } });
			return body.data.access_token;
		},
		async close() {
			for (const { child } of started) child.kill("SIGKILL");
			await Promise.all(started.map(({ ended }) => ended));
			rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
		},
	};
}

async function call(address: string, route: string, { token, body }: Parameters<Started["call"]>[1] = {}) {
	const [method = "GET", path = "/"] = route.split(" ");
	const url = path.startsWith("//") ? path.slice(1) : `/api/v1${path}`;
	const response = await fetch(address + url, {
		method,
		headers: {
			...(token !== undefined && { authorization: `Bearer ${token}` }),
			...(body !== undefined && { "content-type": "application/json" }),
		},
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	const isJson = response.headers.get("content-type")?.includes("json") === true;
	return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

const hitter = (address: string) => (hit: TestHit) =>
	sendHit({ address: async () => address, config: { secretKey }, clock: systemClock }, hit);

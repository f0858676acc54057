import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { sendHit, type TestHit } from "./hits.ts";
import { runService, type ServiceProcess } from "./service-process.ts";
import { insertTestUser, password } from "./test-users.ts";

const secretKey = "a secret of the tests, 32 characters or more";

type Environment = Readonly<Record<string, string>>;

/** Processes of one service with roles of their own. */
export type SplitProcesses = ReturnType<typeof splitProcesses>;

/** Nothing is started yet. */
export function splitProcesses() {
	const root = mkdtempSync(join(tmpdir(), "footfall-split-"));
	/** The directory that processes get when they name none. */
	const dataDir = join(root, "data");
	const started: ServiceProcess[] = [];
	return {
		dataDir,
		/** Starts a process and waits until it listens. */
		async start(roles: string, more: Environment = {}): Promise<Started> {
			const usual = { DATA_DIR: dataDir, SECRET_KEY: secretKey, COOKIE_SECURE: "false", TRUST_PROXY: "true" };
			const service = runService(["start"], { ...usual, ROLES: roles, ...more });
			started.push(service);
			return { ...service, ...actionsAt(await service.listening) };
		},
		/** Makes a user; answers a token for the API of a process. */
		async signIn(api: Started): Promise<string> {
			const email = "user@example.com";
			const metadata = await openMetadata({ dataDir });
			await insertTestUser({ metadata, clock: systemClock }, { email, name: "Ann", role: "user" });
			await metadata.destroy();
			const { body } = await api.call("POST /auth/token", { body: { email, password } });
			return body.data.access_token;
		},
		/** Ends all processes and removes what they have left. */
		async close(): Promise<void> {
			for (const { child } of started) child.kill("SIGKILL");
			await Promise.all(started.map(({ ended }) => ended));
			rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
		},
	};
}

/** A process of the service that a test has started. */
export type Started = ServiceProcess & ReturnType<typeof actionsAt>;

const actionsAt = (address: string) => ({
	/** A request as `GET /sites`, below the version prefix; others name a whole path, as `GET //livez`. */
	async call(route: string, { token, body }: { readonly token?: string; readonly body?: unknown } = {}) {
		const [method = "GET", path = "/"] = route.split(" ");
		const response = await fetch(address + (path.startsWith("//") ? path.slice(1) : `/api/v1${path}`), {
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
	},
	/** Sends a hit as a browser does; answers the status. */
	hit: (hit: TestHit) => sendHit({ address: async () => address, config: { secretKey }, clock: systemClock }, hit),
});

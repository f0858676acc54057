import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** An older service as migration jobs find it. */
export interface LegacyService {
	readonly url: string;
	/** Received requests, as `GET /api/report/conversions?…`. */
	readonly asked: readonly string[];
	/** Answers everything with this status; undefined = as usual. */
	fail(status: number | undefined): void;
	/** Called before a report is answered. */
	onReport: (() => Promise<void>) | undefined;
	close(): Promise<void>;
}

interface LegacyData {
	readonly email: string;
	readonly password: string;
	readonly accounts: readonly { readonly id: string; readonly name: string }[];
	/** Rows by kind: `conversions`, `microconversions`, `pageviews`. */
	readonly reports: Readonly<Record<string, readonly object[]>>;
}

const TOKEN = "a-token-that-lives-long";

/** Starts one on this machine. */
export async function legacyService(data: LegacyData): Promise<LegacyService> {
	const asked: string[] = [];
	let failure: number | undefined;
	const server = createServer(async (request, response) => {
		asked.push(`${request.method} ${request.url}`);
		const url = new URL(request.url ?? "/", "http://legacy");
		const answer = (status: number, value: unknown, total?: number) => {
			const headers = { "content-type": "application/json", ...(total !== undefined && { "x-total-count": total }) };
			response.writeHead(status, headers).end(JSON.stringify(value));
		};
		if (failure !== undefined) return answer(failure, { error: "away" });
		if (url.pathname === "/api/auth/login") {
			const form = new URLSearchParams(await bodyOf(request));
			const isRight = form.get("username") === data.email && form.get("password") === data.password;
			return isRight ? answer(200, { access_token: TOKEN, token_type: "bearer" }) : answer(401, { error: "login" });
		}
		if (request.headers.authorization !== `Bearer ${TOKEN}`) return answer(401, { error: "token" });
		if (url.pathname === "/api/auth/accounts") return answer(200, data.accounts);
		if (!data.accounts.some(({ id }) => id === url.searchParams.get("account_id"))) return answer(404, {});
		await service.onReport?.();
		const rows = data.reports[url.pathname.replace("/api/report/", "")] ?? [];
		const skip = Number(url.searchParams.get("skip"));
		return answer(200, rows.slice(skip, skip + Number(url.searchParams.get("limit"))), rows.length);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const service: LegacyService = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		asked,
		fail: (status) => {
			failure = status;
		},
		onReport: undefined,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return service;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	let body = "";
	for await (const piece of request) body += piece;
	return body;
}

import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listenLocally } from "./local-server.ts";

/** An older service as migration jobs find it. */
export interface LegacyService {
	readonly url: string;
	readonly asked: readonly string[];
	/** Answers everything with this status; undefined = as usual. */
	fail(status: number | undefined): void;
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
			const form = new URLSearchParams(await text(request));
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
	const { port, close } = await listenLocally(server);
	const service: LegacyService = {
		url: `http://127.0.0.1:${port}`,
		asked,
		fail: (status) => {
			failure = status;
		},
		onReport: undefined,
		close,
	};
	return service;
}

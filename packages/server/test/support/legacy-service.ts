import { type Reply, serveLocally } from "./local-server.ts";

interface LegacyData {
	readonly email: string;
	readonly password: string;
	readonly accounts: readonly { readonly id: string; readonly name: string }[];
	/** Rows by kind: `conversions`, `microconversions`, `pageviews`. */
	readonly reports: Readonly<Record<string, readonly object[]>>;
}

const TOKEN = "a-token-that-lives-long";

/** An older service as migration jobs find it. */
export async function legacyService(data: LegacyData) {
	let failure: number | undefined;
	const service = {
		/** Requests, as `GET /api/auth/accounts`. */
		asked: [] as string[],
		/** Answers everything with this status; undefined = as usual. */
		fail: (status: number | undefined) => {
			failure = status;
		},
		onReport: undefined as (() => Promise<void>) | undefined,
	};
	const { port, close } = await serveLocally(async ({ method, path, headers, body }): Promise<Reply> => {
		service.asked.push(`${method} ${path}`);
		const { pathname, searchParams } = new URL(path, "http://legacy");
		if (failure !== undefined) return { status: failure, body: { error: "away" } };
		if (pathname === "/api/auth/login") {
			const form = new URLSearchParams(body.toString());
			const isRight = form.get("username") === data.email && form.get("password") === data.password;
			if (!isRight) return { status: 401, body: { error: "login" } };
			return { body: { access_token: TOKEN, token_type: "bearer" } };
		}
		if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { error: "token" } };
		if (pathname === "/api/auth/accounts") return { body: data.accounts };
		if (!data.accounts.some(({ id }) => id === searchParams.get("account_id"))) return { status: 404, body: {} };
		await service.onReport?.();
		const rows = data.reports[pathname.replace("/api/report/", "")] ?? [];
		const [skip, limit] = [Number(searchParams.get("skip")), Number(searchParams.get("limit"))];
		return { headers: { "x-total-count": String(rows.length) }, body: rows.slice(skip, skip + limit) };
	});
	return Object.assign(service, { url: `http://127.0.0.1:${port}`, close });
}

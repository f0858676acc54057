import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";
import type { GuardedFetch, OutboundRequest } from "../../../platform/outbound/guarded-fetch.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import type { MigrationKind } from "./store.ts";

export interface LegacyLogin {
	readonly email: string;
	readonly password: string;
}

interface LegacyQuestion {
	readonly accountId: string;
	readonly kind: MigrationKind;
	readonly from: string;
	readonly to: string;
	readonly skip: number;
}

/** The way to the address that the operator named. */
type Fetch = Pick<GuardedFetch, "send">;

const PAGE_ROWS = 1000;
const MAX_BYTES = 16 * 1024 * 1024;
const HIDDEN = "The older service does not show this account";

/** A session at the older service; its token lives long and is kept in memory only. */
export type LegacySession = Awaited<ReturnType<typeof openLegacy>>;

/** Signs in with the form of the older service. Throws a `JobFailure` when it refuses. */
export async function openLegacy(fetch: Fetch, baseUrl: string, login: LegacyLogin, signal?: AbortSignal) {
	const base = baseUrl.replace(/\/+$/, "");
	const token = await signIn(fetch, base, login, signal);
	const get = (path: string) =>
		send(fetch, { url: `${base}${path}`, headers: { authorization: `Bearer ${token}` }, signal });
	return {
		/** The accounts that its user sees: names by ids. */
		accounts: async (): Promise<ReadonlyMap<string, string>> => {
			const accounts = new Map<string, string>();
			for (const account of listOf((await get("/api/auth/accounts")).value)) {
				if (isRecord(account) && account.id !== undefined) accounts.set(String(account.id), String(account.name ?? ""));
			}
			return accounts;
		},
		/** Rows of a report, and how many there are in all. */
		page: async ({ accountId, kind, from, to, skip }: LegacyQuestion) => {
			const query = new URLSearchParams({
				account_id: accountId,
				date_range: `${from},${to}`,
				skip: String(skip),
				limit: String(PAGE_ROWS),
			});
			const { value, headers } = await get(`/api/report/${kind}?${query}`);
			const rows = listOf(value);
			const total = Number(headers["x-total-count"] ?? Number.NaN);
			return { rows, total: Number.isSafeInteger(total) && total >= 0 ? total : skip + rows.length };
		},
	};
}

/** Tries what a migration job would do first: whether its user can sign in, and sees the account. Nothing of it is kept. */
export async function testConnection(fetch: Fetch, baseUrl: string, login: LegacyLogin, accountId: string) {
	try {
		const accounts = await (await openLegacy(fetch, baseUrl, login)).accounts();
		const account_name = accounts.get(accountId);
		if (account_name !== undefined) return { valid: true, account_name, error: null };
		return { valid: false, account_name: null, error: HIDDEN };
	} catch (error) {
		if (error instanceof JobFailure) return { valid: false, account_name: null, error: error.message };
		throw error;
	}
}

async function signIn(
	fetch: Fetch,
	base: string,
	{ email, password }: LegacyLogin,
	signal?: AbortSignal,
): Promise<string> {
	const { value } = await send(fetch, {
		url: `${base}/api/auth/login`,
		method: "POST",
		headers: { "content-type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams({ username: email, password }).toString(),
		signal,
	});
	if (isRecord(value) && typeof value.access_token === "string") return value.access_token;
	throw strange();
}

async function send(fetch: Fetch, request: Omit<OutboundRequest, "timeoutMs" | "maxBytes">) {
	const limits = { timeoutMs: MINUTE_MS, maxBytes: MAX_BYTES };
	const headers = {
		accept: "application/json",
		"accept-encoding": "identity",
		"user-agent": "Footfall",
		...request.headers,
	};
	const answer = await fetch.send({ ...request, headers, ...limits }).catch((error: unknown) => {
		if (!(error instanceof OutboundError)) throw error;
		throw new JobFailure(`The older service gave no answer: ${error.message}`, { isOurs: false });
	});
	const { status, body } = answer;
	if (status === 401 || (status === 400 && request.method === "POST"))
		throw refused("The older service did not accept the email and password");
	if (status === 403 || status === 404) throw refused(HIDDEN);
	if (status !== 200) throw new JobFailure(`The older service answered with status ${status}`, { isOurs: false });
	try {
		return { value: JSON.parse(body) as unknown, headers: answer.headers };
	} catch {
		throw strange();
	}
}

const refused = (message: string) => new JobFailure(message, { isFinal: true, isOurs: false });
const strange = () => refused("The older service answered with something else than expected");

function listOf(value: unknown): readonly unknown[] {
	if (Array.isArray(value)) return value;
	throw strange();
}

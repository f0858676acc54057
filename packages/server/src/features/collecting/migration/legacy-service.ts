import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";
import { OutboundError } from "../../../platform/outbound/outbound-error.ts";
import { type OperatorRequest, sendToOperator } from "../../../platform/outbound/send-to-operator.ts";
import type { MigrationKind } from "./kinds.ts";

/** A user of the older service. */
export interface LegacyLogin {
	readonly email: string;
	readonly password: string;
}

/** Rows of a report, and how many there are in all. */
export interface LegacyPage {
	readonly rows: readonly unknown[];
	readonly total: number;
}

/** A query of a report. */
export interface LegacyQuestion {
	readonly accountId: string;
	readonly kind: MigrationKind;
	readonly from: string;
	readonly to: string;
	readonly skip: number;
}

/** Rows that are asked for at once. */
const PAGE_ROWS = 1000;
const MAX_BYTES = 16 * 1024 * 1024;

/** A session at the older service; its token lives long and is kept in memory only. */
export interface LegacySession {
	/** The accounts that its user sees: names by ids. */
	accounts(): Promise<ReadonlyMap<string, string>>;
	page(question: LegacyQuestion): Promise<LegacyPage>;
}

/** The older service refused email and password. */
class LoginRefused extends JobFailure {
	constructor() {
		super("The older service did not accept the email and password", { isFinal: true, isOurs: false });
	}
}

/** Signs in with the form of the older service. Throws `LoginRefused`, and `JobFailure` for what it answers otherwise. */
export async function openLegacy(
	clock: Clock,
	baseUrl: string,
	login: LegacyLogin,
	signal?: AbortSignal,
): Promise<LegacySession> {
	const base = baseUrl.replace(/\/+$/, "");
	const token = await signIn(clock, base, login, signal);
	const get = (path: string) =>
		send(clock, { url: `${base}${path}`, headers: { authorization: `Bearer ${token}` }, signal });
	return {
		accounts: async () => {
			const accounts = new Map<string, string>();
			for (const account of listOf((await get("/api/auth/accounts")).value)) {
				if (isRecord(account) && account.id !== undefined) accounts.set(String(account.id), String(account.name ?? ""));
			}
			return accounts;
		},
		page: async ({ accountId, kind, from, to, skip }) => {
			const query = new URLSearchParams({
				account_id: accountId,
				date_range: `${from},${to}`,
				skip: String(skip),
				limit: String(PAGE_ROWS),
			});
			const { value, headers } = await get(`/api/report/${kind}?${query}`);
			const rows = listOf(value);
			const total = Number(headers.get("x-total-count") ?? Number.NaN);
			return { rows, total: Number.isSafeInteger(total) && total >= 0 ? total : skip + rows.length };
		},
	};
}

async function signIn(
	clock: Clock,
	base: string,
	{ email, password }: LegacyLogin,
	signal?: AbortSignal,
): Promise<string> {
	const { value } = await send(clock, {
		url: `${base}/api/auth/login`,
		method: "POST",
		headers: { "content-type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams({ username: email, password }).toString(),
		signal,
	});
	if (isRecord(value) && typeof value.access_token === "string") return value.access_token;
	throw strange();
}

async function send(clock: Clock, request: Omit<OperatorRequest, "timeoutMs" | "maxBytes">) {
	const answer = await sendToOperator(clock, { ...request, timeoutMs: MINUTE_MS, maxBytes: MAX_BYTES }).catch(
		(error: unknown) => {
			if (!(error instanceof OutboundError)) throw error;
			throw new JobFailure(`The older service gave no answer: ${error.message}`, { isOurs: false });
		},
	);
	const { status, headers, body } = answer;
	if (status === 401 || (status === 400 && request.method === "POST")) throw new LoginRefused();
	if (status === 403 || status === 404) {
		throw new JobFailure("The older service does not show this account", { isFinal: true, isOurs: false });
	}
	if (status !== 200) throw new JobFailure(`The older service answered with status ${status}`, { isOurs: false });
	try {
		return { value: JSON.parse(body) as unknown, headers };
	} catch {
		throw strange();
	}
}

const strange = () =>
	new JobFailure("The older service answered with something else than expected", { isFinal: true, isOurs: false });

function listOf(value: unknown): readonly unknown[] {
	if (Array.isArray(value)) return value;
	throw strange();
}

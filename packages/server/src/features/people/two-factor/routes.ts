import type { Caller, Guard } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Message } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { type Actor, actorOf, recordAudit } from "../../auditing/audit-log/index.ts";
import { answerSignIn, clientOf, SignedInFrom, SignInAnswer, signInOrigin } from "../auth/index.ts";
import { getUser, type UserRow } from "../users/index.ts";
import { hashBackupCode, newBackupCodes, openSecret, resealSecrets } from "./codes.ts";
import type { TwoFactorDeps } from "./deps.ts";
import { disableTwoFactor } from "./disable.ts";
import { backupCodesMail } from "./mails.ts";
import { presentSetup, presentStatus } from "./present.ts";
import {
	AppCodeBody,
	BackupCodesState,
	DisableBody,
	Enabled,
	NewBackupCodes,
	PasswordBody,
	Setup,
	Status,
	VerifyLoginBody,
} from "./schemas.ts";
import { confirmSetup, startSetup } from "./set-up.ts";
import { countBackupCodes, deleteSetup, findTwoFactor, replaceBackupCodes } from "./store.ts";
import { useCode, verifyLogin } from "./use-code.ts";

/** The user alone: neither a key nor a superadmin who acts as the user. */
const reading: Guard = { kind: "session", scope: "read", impersonation: "refused" };
const writing: Guard = { kind: "session", scope: "write", impersonation: "refused" };

/**
 * Makes new backup codes, which are shown this once; the earlier ones die. Asks for a code of the app.
 * Throws `not_found` when the second factor is off, `bad_request` for a wrong code, and as `useCode` does.
 */
async function regenerateBackupCodes(
	deps: TwoFactorDeps,
	user: UserRow,
	given: { code: string; actor: Actor },
): Promise<string[]> {
	const row = await findTwoFactor(deps.metadata, user.id);
	if (row === undefined || row.enabled_at === null) throw off();
	if (!(await useCode(deps, user, given.code, "app"))) {
		throw new ServiceError("bad_request", { message: "The code is wrong" });
	}
	const now = deps.clock.now();
	const codes = newBackupCodes();
	const secret = openSecret(deps, row);
	const hashes = codes.map((code) => hashBackupCode(secret, code));
	await deps.metadata.transaction().execute(async (trx) => {
		if (!(await replaceBackupCodes(trx, user.id, hashes, now))) throw off();
		await recordAudit(trx, given.actor, { action: "user.backup_codes_regenerated", resourceId: user.id }, now);
		await deps.mailer.queue(trx, backupCodesMail(user));
	});
	return codes;
}

const off = () => new ServiceError("not_found", { message: "Two-factor authentication is off" });

const tags = ["Two-factor authentication"];

/** Routes on the second factor: its setup, its backup codes and the second step of a sign-in. */
export function registerTwoFactor(app: App, deps: TwoFactorDeps): void {
	app.onStoreReady(async () => {
		const users = await resealSecrets(deps);
		if (users === 0) return;
		app.log.warn({ users }, "Second factors were sealed with another SECRET_KEY: give it as SECRET_KEY_PREVIOUS");
	});
	registerSecondStep(app, deps);
	registerSetup(app, deps);
	registerState(app, deps);
	registerBackupCodes(app, deps);
}

function registerSecondStep(app: App, deps: TwoFactorDeps): void {
	addRoute(app, "POST /2fa/verify-login", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Second step of a sign-in",
		body: VerifyLoginBody,
		guard: { kind: "public" },
		data: SignInAnswer(SignedInFrom),
		errors: errorAnswers("invalid_credentials"),
		handler: async (request, reply) => {
			const { challenge_token: challengeToken, code, is_backup_code: isBackup } = request.body;
			const given = { challengeToken, code, kind: isBackup ? ("backup" as const) : ("app" as const) };
			const outcome = await verifyLogin(deps, given, clientOf(request));
			return await answerSignIn(deps, reply, outcome, await signInOrigin(request, outcome));
		},
	});
}

function registerState(app: App, deps: TwoFactorDeps): void {
	addRoute(app, "GET /2fa/status", {
		tags,
		summary: "Whether two-factor authentication is on",
		guard: reading,
		data: Status,
		handler: async (request) => {
			const { userId } = request.caller;
			const row = await findTwoFactor(deps.metadata, userId);
			return presentStatus(row, await countBackupCodes(deps.metadata, userId), deps.clock.now());
		},
	});
	addRoute(app, "POST /2fa/disable", {
		tags,
		summary: "Disable two-factor authentication",
		body: DisableBody,
		guard: writing,
		data: Message,
		errors: errorAnswers("conflict"),
		handler: async (request) => {
			const { user } = await callingUser(deps, request.caller);
			await disableTwoFactor(deps, user, { ...request.body, ip: request.ip, actor: actorOf(request) });
			return { message: "Two-factor authentication is off" };
		},
	});
}

function registerBackupCodes(app: App, deps: TwoFactorDeps): void {
	addRoute(app, "GET /2fa/backup-codes", {
		tags,
		summary: "Number of unused backup codes",
		guard: reading,
		data: BackupCodesState,
		errors: errorAnswers("not_found"),
		handler: async (request) => {
			const { userId } = request.caller;
			const row = await findTwoFactor(deps.metadata, userId);
			if (row?.backup_codes_at == null)
				throw new ServiceError("not_found", { message: "Two-factor authentication is off" });
			const remaining = await countBackupCodes(deps.metadata, userId);
			return { remaining, generated_at: timestamp(row.backup_codes_at) };
		},
	});
	addRoute(app, "POST /2fa/backup-codes/regenerate", {
		tags,
		summary: "Create new backup codes; the old ones stop working",
		body: AppCodeBody,
		guard: writing,
		data: NewBackupCodes,
		errors: errorAnswers("not_found"),
		handler: async (request, reply) => {
			const { user } = await callingUser(deps, request.caller);
			reply.header("cache-control", "no-store");
			const codes = await regenerateBackupCodes(deps, user, { code: request.body.code, actor: actorOf(request) });
			return { backup_codes: codes, count: codes.length, generated_at: timestamp(deps.clock.now()) };
		},
	});
}

async function callingUser(
	deps: Pick<TwoFactorDeps, "metadata">,
	caller: Caller,
): Promise<{ readonly user: UserRow; readonly sessionId: string }> {
	if (caller.kind !== "session") throw new ServiceError("forbidden", { message: "Required scope: write" });
	const user = await getUser(deps.metadata, caller.userId);
	return { user, sessionId: caller.sessionId };
}

function registerSetup(app: App, deps: TwoFactorDeps): void {
	addRoute(app, "POST /2fa/setup", {
		tags,
		summary: "Start the setup of an authenticator app",
		body: PasswordBody,
		guard: writing,
		data: Setup,
		errors: errorAnswers("conflict"),
		handler: async (request, reply) => {
			const { user } = await callingUser(deps, request.caller);
			reply.header("cache-control", "no-store");
			return presentSetup(await startSetup(deps, user, { ...request.body, ip: request.ip }));
		},
	});
	for (const url of ["/2fa/verify", "/2fa/setup/verify"]) {
		addRoute(app, `POST ${url}`, {
			tags,
			summary: "Complete the setup with a first code; ends the other sessions",
			body: AppCodeBody,
			guard: writing,
			data: Enabled,
			handler: async (request, reply) => {
				const { user, sessionId } = await callingUser(deps, request.caller);
				reply.header("cache-control", "no-store");
				const given = { code: request.body.code, sessionId, actor: actorOf(request) };
				return {
					enabled: true as const,
					backup_codes: await confirmSetup(deps, user, given),
					message: "Two-factor authentication is on. Keep the backup codes.",
				};
			},
		});
	}
	addRoute(app, "POST /2fa/setup/cancel", {
		tags,
		summary: "Cancel the setup",
		guard: writing,
		data: Message,
		handler: async (request) => {
			await deleteSetup(deps.metadata, request.caller.userId);
			return { message: "The setup was cancelled" };
		},
	});
}

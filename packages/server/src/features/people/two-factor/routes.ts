import qrcode from "qrcode-generator";
import { Type } from "typebox";
import { sessionOf } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { Nullable, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { squarePng } from "../../../platform/lib/png.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { type Actor, actorOf, recordAudit } from "../../auditing/audit-log/index.ts";
import { answerSignIn, clientOf, SignedInFrom, SignInAnswer, signInOrigin } from "../auth/index.ts";
import { getUser, Password, type UserRow } from "../users/index.ts";
import {
	appCodePattern,
	confirmCode,
	confirmSetup,
	disableTwoFactor,
	hashBackupCode,
	newBackupCodes,
	noticeMail,
	openSecret,
	resealSecrets,
	SETUP_MINUTES,
	startSetup,
	type TwoFactorDeps,
	verifyLogin,
} from "./second-factor.ts";
import { backupCodes, deleteSetup, findTwoFactor, replaceBackupCodes } from "./store.ts";

const appCode = Type.String({ pattern: appCodePattern, description: "Six digits of the authenticator app" });

const AppCodeBody = Type.Object({ code: appCode });

export const VerifyLoginBody = Type.Object({
	challenge_token: Text(1, 100),
	code: Type.String({ minLength: 6, maxLength: 14 }),
	is_backup_code: Type.Boolean({ default: false }),
});

const BackupCodes = Type.Array(Type.String(), { description: "Shown once; each code works once" });

/** Readers need a white border of four fields. */
const BORDER = 4;
const PIXELS_PER_FIELD = 5;

function qrCodeDataUrl(text: string): string {
	const code = qrcode(0, "M");
	code.addData(text, "Byte");
	code.make();
	const fields = code.getModuleCount();
	const isBlack = (row: number, column: number): boolean =>
		row >= 0 && row < fields && column >= 0 && column < fields && code.isDark(row, column);
	const png = squarePng(fields + 2 * BORDER, PIXELS_PER_FIELD, (row, column) => isBlack(row - BORDER, column - BORDER));
	return `data:image/png;base64,${png.toString("base64")}`;
}

const tags = ["Two-factor authentication"];
/** The user alone: neither a key nor a superadmin who acts as the user. */
const reading = { tags, guard: { kind: "session", scope: "read", impersonation: "refused" } } as const;
const writing = { tags, guard: { kind: "session", scope: "write", impersonation: "refused" } } as const;

/**
 * Makes new backup codes, which are shown this once; the earlier ones die. Asks for a code of the app.
 * Throws `not_found` when the second factor is off, `bad_request` for a wrong code, and as `confirmCode` does.
 */
async function regenerateBackupCodes(deps: TwoFactorDeps, user: UserRow, given: { code: string; actor: Actor }) {
	const row = await findTwoFactor(deps.metadata, user.id);
	if (row?.enabled_at == null) throw off();
	await confirmCode(deps, user, given.code);
	const now = deps.clock.now();
	const codes = newBackupCodes();
	const secret = openSecret(deps, row);
	const hashes = codes.map((code) => hashBackupCode(secret, code));
	await deps.metadata.transaction().execute(async (trx) => {
		if (!(await replaceBackupCodes(trx, user.id, hashes, now))) throw off();
		await recordAudit(trx, given.actor, { action: "user.backup_codes_regenerated", resourceId: user.id }, now);
		await deps.mailer.queue(trx, noticeMail(user, "backupCodes"));
	});
	return codes;
}

const off = () => new ServiceError("not_found", "Two-factor authentication is off");

export function registerTwoFactor(app: App, deps: TwoFactorDeps): void {
	app.onStoreReady(async () => {
		const users = await resealSecrets(deps);
		if (users === 0) return;
		app.log.warn({ users }, "Second factors were sealed with another SECRET_KEY: give it as SECRET_KEY_PREVIOUS");
	});
	addRoute(app, "POST /2fa/verify-login", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Second step of a sign-in",
		body: VerifyLoginBody,
		guard: { kind: "public" },
		data: SignInAnswer(SignedInFrom),
		errors: ["invalid_credentials"],
		handler: async (request, reply) => {
			const { challenge_token: challengeToken, code, is_backup_code: isBackup } = request.body;
			const given = { challengeToken, code, kind: isBackup ? ("backup" as const) : ("app" as const) };
			const outcome = await verifyLogin(deps, given, clientOf(request));
			return await answerSignIn(deps, reply, outcome, await signInOrigin(request, outcome));
		},
	});
	addRoute(app, "POST /2fa/setup", {
		...writing,
		summary: "Start the setup of an authenticator app",
		body: Type.Object({ password: Password() }),
		data: Type.Object({
			secret: Type.String({ description: "Base32" }),
			provisioning_uri: Type.String({ description: "`otpauth:` address" }),
			qr_code_data_url: Type.String({ description: "The same, as a PNG" }),
			expires_in_minutes: Type.Integer(),
		}),
		errors: ["conflict"],
		handler: async (request) => {
			const user = await getUser(deps.metadata, request.caller.userId);
			const { secret, uri: provisioning_uri } = await startSetup(deps, user, { ...request.body, ip: request.ip });
			const qr_code_data_url = qrCodeDataUrl(provisioning_uri);
			return { secret, provisioning_uri, qr_code_data_url, expires_in_minutes: SETUP_MINUTES };
		},
	});
	for (const url of ["/2fa/verify", "/2fa/setup/verify"]) {
		addRoute(app, `POST ${url}`, {
			...writing,
			summary: "Complete the setup with a first code; ends the other sessions",
			body: AppCodeBody,
			data: Type.Object({ enabled: Type.Literal(true), backup_codes: BackupCodes, message: Type.String() }),
			handler: async (request) => {
				const { userId, sessionId } = sessionOf(request);
				const user = await getUser(deps.metadata, userId);
				const backup_codes = await confirmSetup(deps, user, { ...request.body, sessionId, actor: actorOf(request) });
				const message = "Two-factor authentication is on. Keep the backup codes.";
				return { enabled: true as const, backup_codes, message };
			},
		});
	}
	addRoute(app, "POST /2fa/setup/cancel", {
		...writing,
		summary: "Cancel the setup",
		message: "The setup was cancelled",
		handler: (request) => deleteSetup(deps.metadata, request.caller.userId),
	});
	addRoute(app, "GET /2fa/status", {
		...reading,
		summary: "Whether two-factor authentication is on",
		data: Type.Object({
			enabled: Type.Boolean(),
			enabled_at: Nullable(Timestamp()),
			setup_pending: Type.Boolean(),
			backup_codes_remaining: Type.Integer(),
		}),
		handler: async (request) => {
			const { userId } = request.caller;
			const row = await findTwoFactor(deps.metadata, userId);
			const enabledAt = row?.enabled_at ?? null;
			return {
				enabled: enabledAt !== null,
				enabled_at: timestampOrNull(enabledAt),
				setup_pending: (row?.setup_ends_at ?? 0) > deps.clock.now(),
				backup_codes_remaining: await backupCodes.count(deps.metadata, { user_id: userId }),
			};
		},
	});
	addRoute(app, "POST /2fa/disable", {
		...writing,
		summary: "Disable two-factor authentication",
		body: Type.Object({
			password: Password(),
			code: Type.String({ minLength: 6, maxLength: 14, description: "From the authenticator app, or a backup code" }),
		}),
		message: "Two-factor authentication is off",
		errors: ["conflict"],
		handler: async (request) => {
			const user = await getUser(deps.metadata, request.caller.userId);
			await disableTwoFactor(deps, user, { ...request.body, ip: request.ip, actor: actorOf(request) });
		},
	});
	addRoute(app, "GET /2fa/backup-codes", {
		...reading,
		summary: "Number of unused backup codes",
		data: Type.Object({ remaining: Type.Integer(), generated_at: Timestamp() }),
		errors: ["not_found"],
		handler: async (request) => {
			const { userId } = request.caller;
			const row = await findTwoFactor(deps.metadata, userId);
			if (row?.backup_codes_at == null) throw off();
			const remaining = await backupCodes.count(deps.metadata, { user_id: userId });
			return { remaining, generated_at: timestamp(row.backup_codes_at) };
		},
	});
	addRoute(app, "POST /2fa/backup-codes/regenerate", {
		...writing,
		summary: "Create new backup codes; the old ones stop working",
		body: AppCodeBody,
		data: Type.Object({ backup_codes: BackupCodes, count: Type.Integer(), generated_at: Timestamp() }),
		errors: ["not_found"],
		handler: async (request) => {
			const user = await getUser(deps.metadata, request.caller.userId);
			const codes = await regenerateBackupCodes(deps, user, { ...request.body, actor: actorOf(request) });
			return { backup_codes: codes, count: codes.length, generated_at: timestamp(deps.clock.now()) };
		},
	});
}

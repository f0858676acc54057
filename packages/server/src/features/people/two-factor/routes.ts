import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Message, Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { answerSignIn, clientOf, SignedInFrom, SignInAnswer, signInOrigin } from "../auth/index.ts";
import { countBackupCodes } from "./backup-codes-store.ts";
import { callingUser } from "./calling-user.ts";
import type { TwoFactorDeps } from "./deps.ts";
import { disableTwoFactor } from "./disable.ts";
import { reading, writing } from "./guards.ts";
import { presentCodesState, presentNewCodes, presentStatus } from "./present.ts";
import { regenerateBackupCodes } from "./regenerate-backup-codes.ts";
import { resealSecrets } from "./reseal-secrets.ts";
import { AppCodeBody, BackupCodesState, DisableBody, NewBackupCodes, Status, VerifyLoginBody } from "./schemas.ts";
import { registerSetup } from "./setup-routes.ts";
import { findTwoFactor } from "./store.ts";
import { verifyLogin } from "./verify-login.ts";

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
	app.route({
		method: "POST",
		url: "/2fa/verify-login",
		schema: {
			"x-headers": ["Set-Cookie"],
			tags,
			summary: "Second step of a sign-in",
			body: VerifyLoginBody,
			response: { 200: Success(SignInAnswer(SignedInFrom)), ...errorAnswers("invalid_credentials") },
		},
		config: { guard: { kind: "public" } },
		handler: async (request, reply) => {
			const { challenge_token: challengeToken, code, is_backup_code: isBackup } = request.body;
			const given = { challengeToken, code, kind: isBackup ? ("backup" as const) : ("app" as const) };
			const outcome = await verifyLogin(deps, given, clientOf(request));
			return success(await answerSignIn(deps, reply, outcome, await signInOrigin(request, outcome)));
		},
	});
}

function registerState(app: App, deps: TwoFactorDeps): void {
	app.route({
		method: "GET",
		url: "/2fa/status",
		schema: { tags, summary: "Whether the second factor is on", response: { 200: Success(Status) } },
		config: { guard: reading },
		handler: async (request) => {
			const { userId } = request.caller;
			const row = await findTwoFactor(deps.metadata, userId);
			return success(presentStatus(row, await countBackupCodes(deps.metadata, userId), deps.clock.now()));
		},
	});
	app.route({
		method: "POST",
		url: "/2fa/disable",
		schema: {
			tags,
			summary: "Switch the second factor off",
			body: DisableBody,
			response: { 200: Success(Message), ...errorAnswers("conflict") },
		},
		config: { guard: writing },
		handler: async (request) => {
			const { user } = await callingUser(deps, request.caller);
			await disableTwoFactor(deps, user, { ...request.body, ip: request.ip, actor: actorOf(request) });
			return success({ message: "Two-factor authentication is off" });
		},
	});
}

function registerBackupCodes(app: App, deps: TwoFactorDeps): void {
	app.route({
		method: "GET",
		url: "/2fa/backup-codes",
		schema: {
			tags,
			summary: "How many backup codes are left",
			response: { 200: Success(BackupCodesState), ...errorAnswers("not_found") },
		},
		config: { guard: reading },
		handler: async (request) => {
			const { userId } = request.caller;
			const row = await findTwoFactor(deps.metadata, userId);
			if (row?.backup_codes_at == null)
				throw new ServiceError("not_found", { message: "Two-factor authentication is off" });
			return success(presentCodesState(await countBackupCodes(deps.metadata, userId), row.backup_codes_at));
		},
	});
	app.route({
		method: "POST",
		url: "/2fa/backup-codes/regenerate",
		schema: {
			tags,
			summary: "Make new backup codes; the earlier ones die",
			body: AppCodeBody,
			response: { 200: Success(NewBackupCodes), ...errorAnswers("not_found") },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const { user } = await callingUser(deps, request.caller);
			reply.header("cache-control", "no-store");
			const codes = await regenerateBackupCodes(deps, user, { code: request.body.code, actor: actorOf(request) });
			return success(presentNewCodes(codes, deps.clock.now()));
		},
	});
}

import assert from "node:assert/strict";
import type { Tables } from "../../../migrations/metadata/tables/index.ts";
import { type AccountsApp, cookiesOf, password } from "../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../test/support/audit-trail.ts";
import { enableTwoFactor, wrongCode } from "../../../test/support/authenticator.ts";
import { mailbox, mailedToken } from "../../../test/support/mailbox.ts";
import { type Race, raceOnBothEngines, times } from "../../../test/support/races.ts";
import { codeOf } from "../../../test/support/refusals.ts";
import { createFirstRunLink } from "./auth/index.ts";

const next = "an entirely different secret 8";
const ann = { email: "ann@example.com", name: "Ann", password, accept_terms: true };

/** A user with a second factor, and the two steps of a sign-in. */
async function withTwoFactor(app: AccountsApp) {
	const authenticator = await enableTwoFactor(app, await app.user("Ann"));
	const challenge = async (): Promise<string> =>
		(await app.call("POST /auth/token", { body: { email: ann.email, password } })).json().data.challenge_token;
	const answer = (challenge_token: string, code: string, more = {}) =>
		app.call("POST /2fa/verify-login", { body: { challenge_token, code, ...more } });
	const guess = (challengeToken: string) => answer(challengeToken, wrongCode(authenticator.secret, app.clock.now()));
	return { authenticator, challenge, answer, guess };
}

const race = (title: string, statuses: RegExp, begin: Race["begin"]): Race => ({ title, statuses, begin });

raceOnBothEngines("accounts and sessions at once", [
	race("of two refreshes with one token one succeeds", /^200 401$/, async (app) => {
		const { svc_refresh_token = "" } = (await app.user("Ann")).cookies;
		return { requests: times(2, () => app.call("POST /auth/refresh", { cookies: { svc_refresh_token } })) };
	}),
	race("of two backup codes for one challenge one signs in, and the challenge is used up", /^200 401$/, async (app) => {
		const { authenticator, challenge, answer } = await withTwoFactor(app);
		const token = await challenge();
		const backup = (index: number) => answer(token, authenticator.backupCodes[index] ?? "", { is_backup_code: true });
		return {
			requests: [() => backup(0), () => backup(1)],
			check: async () => assert.equal((await backup(2)).json().error.code, "token_invalid"),
		};
	}),
	race("one code of the app signs in once", /^200 401$/, async (app) => {
		const { authenticator, challenge, answer } = await withTwoFactor(app);
		const token = await challenge();
		return { requests: times(2, () => answer(token, authenticator.code())) };
	}),
	race(
		"five wrong codes end a challenge, and the next one takes the right code",
		/^401 401 401 401 401 429 429 429$/,
		async (app) => {
			const { authenticator, challenge, answer, guess } = await withTwoFactor(app);
			const token = await challenge();
			return {
				requests: times(8, () => guess(token)),
				check: async () => {
					const right = await answer(token, authenticator.code());
					assert.deepEqual(codeOf(right), [429, "rate_limit_exceeded"]);
					assert.ok(Number(right.headers["retry-after"]) > 0);
					assert.equal((await answer(await challenge(), authenticator.code())).statusCode, 200);
				},
			};
		},
	),
	race("guesses do not pass the ten of a day, for which right codes do not count", /^401 401 429 429$/, async (app) => {
		const { authenticator, challenge, answer, guess } = await withTwoFactor(app);
		assert.equal((await answer(await challenge(), authenticator.code())).statusCode, 200);
		let token = "";
		for (let guesses = 0; guesses < 8; guesses++) {
			if (guesses % 4 === 0) token = await challenge();
			await guess(token);
		}
		token = await challenge();
		return { requests: times(4, () => guess(token)) };
	}),
	race("a user has at most 50 active tokens; a revoked one makes room", /^201 201 409 409 409 409$/, async (app) => {
		const as = await app.user("Ann");
		const create = () => app.call("POST /api-tokens", { as, body: { name: "Key" } });
		const { id } = (await create()).json().data;
		const tokens = app.metadata.withTables<Tables>();
		const { id: _, ...row } = await tokens.selectFrom("api_tokens").selectAll().executeTakeFirstOrThrow();
		const others = Array.from({ length: 47 }, (_, made) => ({ ...row, token_hash: `made ${made}` }));
		await tokens.insertInto("api_tokens").values(others).execute();
		return {
			requests: times(6, create),
			check: async (answers) => {
				const refused = answers.find(({ statusCode }) => statusCode === 409);
				assert.equal(refused?.json().error.code, "conflict");
				await app.call(`DELETE /api-tokens/${id}`, { as });
				assert.equal((await create()).statusCode, 201);
			},
		};
	}),
	race("of two registrations of one address one makes the account, and both answer alike", /^200 200$/, async (app) => {
		const register = (email: string) => app.call("POST /auth/register", { body: { ...ann, email } });
		return {
			requests: [() => register("Ann@Example.com"), () => register("ANN@example.com")],
			check: async ([first, second]) => {
				assert.deepEqual(first?.json().data, second?.json().data);
				assert.equal((await mailbox(app).to(ann.email)).length, 2);
				assert.equal((await auditTrail(app, "user.created")).length, 1);
			},
		};
	}),
	race("a link that confirms an address works once", /^200 400$/, async (app) => {
		await app.call("POST /auth/register", { body: ann });
		const token = await mailedToken(app, ann.email);
		return { requests: times(2, () => app.call("POST /email/verify", { body: { token } })) };
	}),
	race("a link for a new password works once", /^200 (400|409)$/, async (app) => {
		await app.user("Ann");
		await app.call("POST /auth/forgot-password", { body: { email: ann.email } });
		const token = await mailedToken(app, ann.email);
		const reset = (new_password: string) => app.call("POST /auth/reset-password", { body: { token, new_password } });
		const passwords = [next, "yet another secret of mine"];
		return {
			requests: passwords.map((one) => () => reset(one)),
			check: async (answers) => {
				const taken = passwords[answers.findIndex(({ statusCode }) => statusCode === 200)];
				const body = { email: ann.email, password: taken };
				assert.equal((await app.call("POST /auth/token", { body })).statusCode, 200);
			},
		};
	}),
	race("of two changes of a password the later one finds another password", /^200 (400|409)$/, async (app) => {
		const as = await app.user("Ann");
		const change = (new_password: string) =>
			app.call("POST /users/me/password", { as, body: { current_password: password, new_password } });
		return {
			requests: [() => change(next), () => change("yet another secret of mine")],
			check: async () => assert.equal((await auditTrail(app, "user.password_changed")).length, 1),
		};
	}),
	race("of two forms of the first-run link one creates the account", /^200 404$/, async (app) => {
		const link = (await createFirstRunLink({ ...app, rootUrl: "http://127.0.0.1" })) ?? "";
		const token = new URL(link).searchParams.get("token") ?? "";
		const send = (email: string) =>
			app.inject({
				method: "POST",
				url: "/setup",
				headers: { "content-type": "application/x-www-form-urlencoded" },
				payload: new URLSearchParams({ token, name: "Ann", email, password }).toString(),
			});
		return { requests: [() => send(ann.email), () => send("eve@example.com")] };
	}),
	race("of two ends of an impersonation one brings the superadmin's session back", /^200 (200|401)$/, async (app) => {
		const root = await app.user("Root", "superadmin");
		const body = { user_id: (await app.user("Ann")).id, reason: "Ticket 7" };
		const acting = await app.call("POST /admin/impersonate-user", { as: root, body });
		const cookies = cookiesOf(acting);
		const headers = { "x-csrf-token": cookies.svc_csrf_token ?? "" };
		return {
			requests: times(2, () => app.call("DELETE /admin/impersonate-user", { cookies, headers })),
			check: async (answers) => {
				const given = answers.flatMap(({ cookies: set }) => set.filter(({ name }) => name === "svc_access_token"));
				assert.equal(given.filter(({ value }) => value !== "").length, 1);
			},
		};
	}),
	race("two changes of preferences both stay", /^200 200$/, async (app) => {
		const as = await app.user("Ann");
		const change = (body: object) => app.call("PATCH /users/me/preferences", { as, body });
		return {
			requests: [() => change({ language: "es" }), () => change({ default_site: "shop" })],
			check: async () => {
				const { language, default_site: site } = (await app.call("GET /users/me/preferences", { as })).json().data;
				assert.deepEqual([language, site], ["es", "shop"]);
			},
		};
	}),
]);

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, test } from "node:test";
import { type JWTHeaderParameters, SignJWT } from "jose";
import { type SignedIn, sharedAccountsApp, userForEach } from "../../test/support/accounts-app.ts";
import { hmacHex } from "../platform/lib/crypto.ts";
import { effectiveRole, sessionScopes } from "./principal.ts";
import { signingKey } from "./session-token.ts";

const app = sharedAccountsApp();
const ann = userForEach(app, "Ann");

describe("a site that a request names", () => {
	/** A report, and a route whose parameter is named otherwise. */
	const [report, rules] = ["GET /stats/pages", "GET /channel-groups"];
	const bob = userForEach(app, "Bob");
	beforeEach(async () => {
		await app.site(ann);
		await app.site(bob, { name: "Other" });
	});

	const refusal = async (route: string, as?: SignedIn) => {
		const response = await app.call(route, as === undefined ? {} : { as });
		const { error } = response.json();
		// Every 401 of a guard names the Bearer scheme, and no other answer does.
		assert.equal(response.headers["www-authenticate"], response.statusCode === 401 ? "Bearer" : undefined);
		return [response.statusCode, error.code, error.detail?.[0]?.field ?? error.message];
	};

	test("a site may be named by site_id or by its alias account_id", async () => {
		const seen = await app.call(`${report}?site_id=shop`, { as: ann });
		assert.equal(seen.statusCode, 200);
		for (const query of ["account_id=shop", "site_id=shop&account_id=shop"]) {
			assert.equal((await app.call(`${report}?${query}`, { as: ann })).body, seen.body, query);
		}
		assert.equal((await app.call(`${rules}?account_id=shop`, { as: ann })).statusCode, 200);
	});

	test("both names with different sites are 400", async () => {
		const route = `${report}?site_id=shop&account_id=other`;
		assert.deepEqual((await refusal(route, ann)).slice(0, 2), [400, "bad_request"]);
	});

	test("without a site parameter 422 names the field, after the credential was looked at", async () => {
		assert.deepEqual(await refusal(report), [401, "unauthorized", "Authentication required"]);
		for (const [route, field, message, type] of [
			[report, "query.site_id", "is required", "missing"],
			[`${report}?site_id=`, "query.site_id", "is required", "missing"],
			[`${rules}?site_id=shop`, "query.account_id", "is required", "missing"],
			[`${report}?site_id=shop&site_id=other`, "query.site_id", "must be given once", "string_type"],
		] as const) {
			const response = await app.call(route, { as: ann });
			assert.deepEqual([response.statusCode, response.json().error.detail], [422, [{ field, message, type }]], route);
		}
	});

	test("unknown sites are 404, sites of others 403, and both come before other faults of the request", async () => {
		const route = `${report}?site_id=shop&sort_order=x`;
		assert.deepEqual(await refusal(route, bob), [403, "forbidden", "Access denied to account: shop"]);
		assert.deepEqual(await refusal(route, ann), [422, "validation_error", "query.sort_order"]);
		const unknown = await refusal(`${report}?site_id=nowhere&sort_order=x`, ann);
		assert.deepEqual(unknown, [404, "account_not_found", "Account not found"]);
	});
});

type Roles = Parameters<typeof effectiveRole>[0];
const roleOf = (userRole: Roles["userRole"], orgRole: Roles["orgRole"], siteRole: Roles["siteRole"]) =>
	effectiveRole({ userRole, orgRole, siteRole });

test("the highest role held on a site counts, and scopes follow from that of the user", () => {
	const table: readonly [...Parameters<typeof roleOf>, role: string | undefined][] = [
		["superadmin", null, null, "owner"],
		["user", "owner", null, "owner"],
		["user", "admin", null, "admin"],
		["user", "member", null, undefined],
		["user", null, null, undefined],
		["user", "member", "viewer", "viewer"],
		["user", "admin", "owner", "owner"],
		["user", "admin", "viewer", "admin"],
	];
	for (const [userRole, orgRole, siteRole, role] of table) assert.equal(roleOf(userRole, orgRole, siteRole), role);
	assert.deepEqual(sessionScopes("user", false), ["read", "write"]);
	assert.deepEqual(sessionScopes("user", true), ["read", "write", "billing:manage"]);
	assert.deepEqual(sessionScopes("superadmin", false), ["read", "write", "admin", "superadmin", "billing:manage"]);
});

describe("session tokens", () => {
	const DAY_MS = 86_400_000;
	const INVALID = [401, "token_invalid", "Invalid token"];

	const show = async (token: string) => {
		const response = await app.call("GET /users/me", { headers: { authorization: `Bearer ${token}` } });
		const { error, data } = response.json();
		return response.statusCode === 200 ? [200, data.email] : [response.statusCode, error.code, error.message];
	};
	const part = (token: string, index: number): Record<string, unknown> =>
		JSON.parse(Buffer.from(token.split(".")[index] ?? "", "base64url").toString());
	const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

	interface Forgery {
		readonly header?: Partial<JWTHeaderParameters>;
		readonly claims?: Record<string, unknown>;
		/** Moment whose key signs. */
		readonly keyOf?: number;
		readonly key?: Parameters<SignJWT["sign"]>[0];
	}

	/** Ann's token, signed again with something changed; a claim that is undefined is left out. */
	function forged({ header = {}, claims = {}, keyOf = app.clock.now(), key }: Forgery): Promise<string> {
		const signing = signingKey(app.config.secretKey, keyOf);
		return new SignJWT({ ...part(ann.token, 1), ...claims })
			.setProtectedHeader({ alg: "HS256", typ: "JWT", kid: signing.id, ...header })
			.sign(key ?? signing.key);
	}

	/** The same claims under a header that is written as it is, with a signature of any kind. */
	const rewritten = (header: object, sign: (signed: string) => string): string => {
		const signed = `${encoded(header)}.${ann.token.split(".")[1]}`;
		return `${signed}.${sign(signed)}`;
	};
	const macOf = (signed: string): string =>
		Buffer.from(hmacHex(signingKey(app.config.secretKey, app.clock.now()).key, signed), "hex").toString("base64url");

	test("another algorithm, key, audience or type is refused, whatever it is signed with", async () => {
		const header = part(ann.token, 0);
		const { id, key } = signingKey(app.config.secretKey, app.clock.now());
		assert.deepEqual([header, part(ann.token, 1).aud], [{ alg: "HS256", typ: "JWT", kid: id }, "footfall:session"]);
		assert.deepEqual(await show(await forged({})), [200, ann.email]);
		const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
		const own = Buffer.alloc(32, 7);
		const jwk = publicKey.export({ format: "jwk" });
		const brought = { jwk: { kty: "oct", k: own.toString("base64url") } };
		const forgeries: Record<string, string | Promise<string>> = {
			"no signature": rewritten(header, () => ""),
			RS256: forged({ header: { alg: "RS256" }, key: privateKey }),
			"RS256 with the secret": rewritten({ ...header, alg: "RS256" }, macOf),
			HS512: forged({ header: { alg: "HS512" }, key: Buffer.concat([key, Buffer.alloc(32)]) }),
			"a public key that it brings": forged({ header: { alg: "RS256", jwk }, key: privateKey }),
			"a key that it brings": forged({ header: brought, key: own }),
			"a key elsewhere": forged({ header: { jku: "https://evil.example/keys" }, key: own }),
			"no key": new SignJWT(part(ann.token, 1)).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(key),
			"another type": forged({ header: { typ: "at+jwt" } }),
			"a critical header": rewritten({ ...header, crit: ["exp2"], exp2: 1 }, macOf),
		};
		for (const alg of ["none", "None", "NONE", "nOnE"]) {
			forgeries[alg] = rewritten({ ...header, alg }, () => "");
			forgeries[`${alg} with a signature`] = rewritten({ ...header, alg }, () => ann.token.split(".")[2] ?? "");
		}
		for (const kid of ["unknown", "", "../../dev/null", "' or 1=1 --"]) {
			forgeries[`the key ${kid}`] = forged({ header: { kid } });
		}
		for (const aud of ["footfall:oauth", "", ["other"], undefined]) {
			forgeries[`for ${aud}`] = forged({ claims: { aud } });
		}
		for (const [what, token] of Object.entries(forgeries)) assert.deepEqual(await show(await token), INVALID, what);
	});

	test("a changed payload is refused, also with another user's signature", async () => {
		const bob = await app.user("Bob");
		const [header, payload = "", signature] = ann.token.split(".");
		const [, bobsPayload = "", bobsSignature] = bob.token.split(".");
		const claims = encoded({ ...part(ann.token, 1), role: "superadmin", scopes: ["superadmin"] });
		for (const token of [
			[claims, signature],
			[bobsPayload, signature],
			[payload, bobsSignature],
		]) {
			assert.deepEqual(await show([header, ...token].join(".")), INVALID);
		}
	});

	test("rank comes from the account, not from what a token claims", async () => {
		const token = await forged({ claims: { role: "superadmin", scopes: ["superadmin"], sub: "999" } });
		assert.deepEqual(await show(token), [200, ann.email]);
		const list = await app.call("GET /users", { headers: { authorization: `Bearer ${token}` } });
		assert.equal(list.statusCode, 403);
	});

	test("a token from the future is refused beyond a minute, one past its end expired, one of an unknown session revoked", async () => {
		const now = app.clock.now() / 1000;
		const sid = "5f6c4f0e-0000-4000-8000-000000000000";
		const table: readonly (readonly [claims: Record<string, unknown>, answer: readonly unknown[]])[] = [
			[{ iat: now + 60, exp: now + 960 }, [200, ann.email]],
			[{ iat: now + 61, exp: now + 961 }, INVALID],
			[{ nbf: now + 1 }, INVALID],
			[{ exp: now }, [401, "token_expired", "Token has expired"]],
			[{ sid }, [401, "unauthorized", "Session has been revoked"]],
			...["exp", "iat", "sub", "sid"].map((claim) => [{ [claim]: undefined }, INVALID] as const),
		];
		for (const [claims, answer] of table) {
			assert.deepEqual(await show(await forged({ claims })), answer, JSON.stringify(claims));
		}
	});

	test("the signing key changes every UTC day; that of the day before and of a process a little ahead is read, no other", async () => {
		app.clock.set("2026-11-21T23:59:30.000Z");
		const late = await app.signIn(ann.email);
		const now = app.clock.now();
		const claims = { iat: now / 1000, exp: now / 1000 + 900 };
		assert.deepEqual(await show(await forged({ claims, keyOf: now + 60_000 })), [200, ann.email]);
		assert.deepEqual(await show(await forged({ claims, keyOf: now + DAY_MS + 60_000 })), INVALID);
		app.clock.set("2026-11-22T00:00:30.000Z");
		const early = await app.signIn(ann.email);
		assert.notEqual(part(late.token, 0).kid, part(early.token, 0).kid);
		for (const { token } of [late, early]) assert.deepEqual(await show(token), [200, ann.email]);
		app.clock.set("2026-11-21T12:00:00.000Z");
		const noon = app.clock.now();
		assert.deepEqual(await show(await forged({ keyOf: noon - DAY_MS })), [200, ann.email]);
		for (const keyOf of [noon - 2 * DAY_MS, noon + DAY_MS])
			assert.deepEqual(await show(await forged({ keyOf })), INVALID);
	});
});

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeEach, test } from "node:test";
import { type JWTHeaderParameters, SignJWT } from "jose";
import { type AccountsApp, accountsApp, type SignedIn, secretKey } from "../../test/support/accounts-app.ts";
import { hmacHex } from "../platform/lib/crypto.ts";
import { signingKey } from "./signing-keys.ts";

const DAY_MS = 86_400_000;
const INVALID = [401, "token_invalid", "Invalid token"];

let app: AccountsApp;
let ann: SignedIn;
beforeEach(async () => {
	app = await accountsApp();
	ann = await app.user("Ann");
});
afterEach(() => app.close());

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
	const signing = signingKey(secretKey, keyOf);
	return new SignJWT({ ...part(ann.token, 1), ...claims })
		.setProtectedHeader({ alg: "HS256", typ: "JWT", kid: signing.id, ...header })
		.sign(key ?? signing.key);
}

test("a token says its algorithm, type and key, and is for this service", async () => {
	assert.deepEqual(part(ann.token, 0), { alg: "HS256", typ: "JWT", kid: signingKey(secretKey, app.clock.now()).id });
	assert.equal(part(ann.token, 1).aud, "footfall:session");
	assert.deepEqual(await show(await forged({})), [200, ann.email]);
});

test("any other algorithm is refused, whatever it is signed with", async () => {
	const [header = "", payload = "", signature = ""] = ann.token.split(".");
	const { kid } = part(ann.token, 0);
	for (const alg of ["none", "None", "NONE", "nOnE"]) {
		assert.deepEqual(await show(`${encoded({ alg, typ: "JWT", kid })}.${payload}.`), INVALID, alg);
		assert.deepEqual(await show(`${encoded({ alg, typ: "JWT", kid })}.${payload}.${signature}`), INVALID, alg);
	}
	assert.deepEqual(await show(`${header}.${payload}.`), INVALID);
	const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
	assert.deepEqual(await show(await forged({ header: { alg: "RS256" }, key: privateKey })), INVALID);
	const longKey = Buffer.concat([signingKey(secretKey, app.clock.now()).key, Buffer.alloc(32)]);
	assert.deepEqual(await show(await forged({ header: { alg: "HS512" }, key: longKey })), INVALID);
	const { key } = signingKey(secretKey, app.clock.now());
	const confused = `${encoded({ alg: "RS256", typ: "JWT", kid })}.${payload}`;
	const mac = Buffer.from(hmacHex(key, confused), "hex").toString("base64url");
	assert.deepEqual(await show(`${confused}.${mac}`), INVALID);
});

test("a key that the token brings along or names elsewhere is not looked at", async () => {
	const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
	const jwk = publicKey.export({ format: "jwk" });
	const own = Buffer.alloc(32, 7);
	const brought = { jwk: { kty: "oct", k: own.toString("base64url") } };
	assert.deepEqual(await show(await forged({ header: { alg: "RS256", jwk }, key: privateKey })), INVALID);
	assert.deepEqual(await show(await forged({ header: brought, key: own })), INVALID);
	assert.deepEqual(await show(await forged({ header: { jku: "https://evil.example/keys" }, key: own })), INVALID);
	for (const kid of ["unknown", "", "../../dev/null", "' or 1=1 --"]) {
		assert.deepEqual(await show(await forged({ header: { kid } })), INVALID, kid);
	}
	const { id: _, key } = signingKey(secretKey, app.clock.now());
	const noKid = await new SignJWT(part(ann.token, 1)).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(key);
	assert.deepEqual(await show(noKid), INVALID);
});

test("a changed payload is refused, also with another user's signature", async () => {
	const bob = await app.user("Bob");
	const [header, payload = "", signature] = ann.token.split(".");
	const claims = { ...part(ann.token, 1), role: "superadmin", scopes: ["superadmin"] };
	assert.deepEqual(await show(`${header}.${encoded(claims)}.${signature}`), INVALID);
	const [, bobsPayload = "", bobsSignature] = bob.token.split(".");
	assert.deepEqual(await show(`${header}.${bobsPayload}.${signature}`), INVALID);
	assert.deepEqual(await show(`${header}.${payload}.${bobsSignature}`), INVALID);
});

test("rank comes from the account, not from what a token claims", async () => {
	const token = await forged({ claims: { role: "superadmin", scopes: ["superadmin"], sub: "999" } });
	assert.deepEqual(await show(token), [200, ann.email]);
	const list = await app.call("GET /users", { headers: { authorization: `Bearer ${token}` } });
	assert.equal(list.statusCode, 403);
});

test("another audience, another type and unknown critical headers are refused", async () => {
	for (const aud of ["footfall:oauth", "", ["other"], undefined]) {
		assert.deepEqual(await show(await forged({ claims: { aud } })), INVALID, String(aud));
	}
	assert.deepEqual(await show(await forged({ header: { typ: "at+jwt" } })), INVALID);
	const critical = `${encoded({ ...part(ann.token, 0), crit: ["exp2"], exp2: 1 })}.${ann.token.split(".")[1]}`;
	const mac = hmacHex(signingKey(secretKey, app.clock.now()).key, critical);
	assert.deepEqual(await show(`${critical}.${Buffer.from(mac, "hex").toString("base64url")}`), INVALID);
});

test("a token from the future is refused beyond a minute, one past its end is expired, one without times is refused", async () => {
	const now = app.clock.now() / 1000;
	assert.deepEqual(await show(await forged({ claims: { iat: now + 60, exp: now + 960 } })), [200, ann.email]);
	assert.deepEqual(await show(await forged({ claims: { iat: now + 61, exp: now + 961 } })), INVALID);
	assert.deepEqual(await show(await forged({ claims: { nbf: now + 1 } })), INVALID);
	assert.deepEqual(await show(await forged({ claims: { exp: now } })), [401, "token_expired", "Token has expired"]);
	for (const claim of ["exp", "iat", "sub", "sid"]) {
		assert.deepEqual(await show(await forged({ claims: { [claim]: undefined } })), INVALID, claim);
	}
});

test("a session that does not exist is refused as a revoked one", async () => {
	const sid = "5f6c4f0e-0000-4000-8000-000000000000";
	assert.deepEqual(await show(await forged({ claims: { sid } })), [401, "unauthorized", "Session has been revoked"]);
});

test("the signing key changes every UTC day, and a token of the day before is still read", async () => {
	app.clock.set("2026-11-21T23:59:30.000Z");
	const late = await app.signIn(ann.email);
	app.clock.set("2026-11-22T00:00:30.000Z");
	const early = await app.signIn(ann.email);
	assert.notEqual(part(late.token, 0).kid, part(early.token, 0).kid);
	assert.deepEqual(await show(late.token), [200, ann.email]);
	assert.deepEqual(await show(early.token), [200, ann.email]);
});

test("the key of another process that is a little ahead is read, keys of other days are not", async () => {
	app.clock.set("2026-11-21T23:59:30.000Z");
	const now = app.clock.now();
	const times = { iat: now / 1000, exp: now / 1000 + 900 };
	assert.deepEqual(await show(await forged({ claims: times, keyOf: now + 60_000 })), [200, ann.email]);
	assert.deepEqual(await show(await forged({ claims: times, keyOf: now + DAY_MS + 60_000 })), INVALID);
	app.clock.set("2026-11-21T12:00:00.000Z");
	const noon = app.clock.now();
	assert.deepEqual(await show(await forged({ keyOf: noon - DAY_MS })), [200, ann.email]);
	assert.deepEqual(await show(await forged({ keyOf: noon - 2 * DAY_MS })), INVALID);
	assert.deepEqual(await show(await forged({ keyOf: noon + DAY_MS })), INVALID);
});

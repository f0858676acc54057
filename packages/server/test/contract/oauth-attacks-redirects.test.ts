import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { authorizationOf, encoded, type Fields } from "../support/app-token.ts";
import {
	approved,
	authorize,
	locationOf,
	type OAuthScene,
	oauthScene,
	publicUrl,
	redirectUri,
	registerClient,
} from "../support/oauth-flow.ts";

let scene: OAuthScene;
before(async () => {
	scene = await oauthScene();
});
after(() => scene.app.close());

const variations: readonly (readonly [string, string])[] = [
	["the path in other case", "https://app.example/Callback"],
	["the host in other case", "https://APP.example/callback"],
	["the scheme in other case", "HTTPS://app.example/callback"],
	["the port written out", "https://app.example:443/callback"],
	["another port", "https://app.example:8443/callback"],
	["another scheme", "http://app.example/callback"],
	["a slash at its end", "https://app.example/callback/"],
	["a further part of the path", "https://app.example/callback/next"],
	["a query", "https://app.example/callback?next=https://evil.example"],
	["an empty query", "https://app.example/callback?"],
	["a fragment", "https://app.example/callback#token"],
	["an empty fragment", "https://app.example/callback#"],
	["a path that leads back", "https://app.example/x/../callback"],
	["a path that leads on", "https://app.example/callback/../evil"],
	["a dot in its path", "https://app.example/./callback"],
	["two slashes", "https://app.example//callback"],
	["a letter percent-encoded", "https://app.example/%63allback"],
	["a parameter of the path", "https://app.example/callback;next"],
	["a user name", "https://user@app.example/callback"],
	["the host as a user name", "https://app.example@evil.example/callback"],
	["the host as a user name and password", "https://app.example:x@evil.example/callback"],
	["a backslash before the host", "https://evil.example\\@app.example/callback"],
	["a backslash after the host", "https://app.example\\.evil.example/callback"],
	["the host as the beginning of another", "https://app.example.evil.example/callback"],
	["the host as the end of another", "https://evilapp.example/callback"],
	["a dot after the host", "https://app.example./callback"],
	["no host", "https:/callback"],
	["no scheme", "//app.example/callback"],
	["only a path", "/callback"],
	["a line end", "https://app.example/callback\r\nSet-Cookie: a=b"],
	["a zero byte", "https://app.example/callback\0"],
	["a space after it", "https://app.example/callback "],
	["a tab in it", "https://app.exa\tmple/callback"],
	["two addresses", "https://app.example/callback https://evil.example/"],
	["a letter that looks alike", "https://\u0430pp.example/callback"],
	["an address of somebody else that holds it", "https://evil.example/?u=https://app.example/callback"],
	["script", "javascript:alert(1)//https://app.example/callback"],
	["data", "data:text/html,<script>alert(1)</script>"],
	["nothing", ""],
];

for (const [title, uri] of variations) {
	test(`nobody is sent to a redirect address with ${title}`, async () => {
		const response = await authorize(scene, { redirect_uri: uri });
		assert.equal(response.statusCode, 400);
		assert.equal(response.headers.location, undefined);
		assert.equal(response.headers["set-cookie"], undefined);
		assert.doesNotMatch(response.body, /<script|href="(?!\/)/i);
	});
}

for (const [title, changes] of [
	["no redirect address", { redirect_uri: undefined }],
	["no client", { client_id: undefined }],
	["an unknown client", { client_id: "11111111-2222-4333-8444-555555555555" }],
	["a client in markup", { client_id: "<script>alert(1)</script>" }],
	["an endless client", { client_id: "a".repeat(9000) }],
] satisfies [string, Fields][]) {
	test(`nobody is sent anywhere for a request with ${title}, whatever else is wrong`, async () => {
		const response = await authorize(scene, { response_type: "token", ...changes });
		assert.equal(response.statusCode, 400);
		assert.equal(response.headers.location, undefined);
		assert.ok(!response.body.includes("<script>alert(1)</script>"));
	});
}

test("two redirect addresses or two clients in one request: nobody is sent anywhere", async () => {
	const query = encoded(authorizationOf(scene.clientId));
	for (const second of ["redirect_uri=https%3A%2F%2Fevil.example%2F", `redirect_uri=${redirectUri}`, "client_id=x"]) {
		for (const url of [`${query}&${second}`, `${second}&${query}`]) {
			const response = await scene.app.inject({ url: `/api/v1/oauth/authorize?${url}` });
			assert.equal(response.statusCode, 400, url);
			assert.equal(response.headers.location, undefined);
		}
	}
});

test("another parameter that comes twice goes back as an invalid request", async () => {
	const query = encoded(authorizationOf(scene.clientId));
	const url = locationOf(await scene.app.inject({ url: `/api/v1/oauth/authorize?${query}&scope=analytics%3Aread` }));
	assert.equal(url.searchParams.get("error"), "invalid_request");
});

test("an address of another app is no address of this one", async () => {
	const other = await registerClient(scene.app, "https://other.example/callback");
	assert.equal((await authorize(scene, { redirect_uri: "https://other.example/callback" })).statusCode, 400);
	assert.equal((await authorize(scene, { client_id: other })).statusCode, 400);
});

test("on loopback too the port, the host and the path are those that were registered", async () => {
	const clientId = await registerClient(scene.app, "http://127.0.0.1:33418/callback");
	const status = async (uri: string) => (await authorize(scene, { client_id: clientId, redirect_uri: uri })).statusCode;
	assert.equal(await status("http://127.0.0.1:33418/callback"), 302);
	for (const uri of [
		"http://127.0.0.1:33419/callback",
		"http://127.0.0.1/callback",
		"http://localhost:33418/callback",
		"http://[::1]:33418/callback",
		"http://127.0.0.2:33418/callback",
		"http://2130706433:33418/callback",
		"https://127.0.0.1:33418/callback",
		"http://127.0.0.1:33418/callback/",
	]) {
		assert.equal(await status(uri), 400, uri);
	}
});

for (const uri of [
	"http://app.example/callback",
	"http://127.0.0.1.evil.example/callback",
	"http://localhost.evil.example/callback",
	"http://localhost@evil.example/callback",
	"http://0.0.0.0:3000/callback",
	"http://10.0.0.1/callback",
	"https://app.example/callback#x",
	"https://app.example/callback#",
	"https://user:password@app.example/callback",
	"https://app.example\\@evil.example/callback",
	"https://*.example/callback",
	"https:app.example/callback",
	"https:/app.example/callback",
	"https:///app.example/callback",
	"https://app.exam ple/callback",
	"https://app.example/call\nback",
	"javascript:alert(1)",
	"JavaScript:alert(1)",
	"data:text/html,x",
	"vbscript:x",
	"blob:https://app.example/1",
	"file:///etc/passwd",
	"about:blank",
	"filesystem:https://app.example/x",
	"view-source:https://app.example/",
	"ftp://app.example/callback",
	"ws://app.example/callback",
	"wss://app.example/callback",
	"mailto:ann@example.com",
	"urn:ietf:wg:oauth:2.0:oob",
	"//app.example/callback",
	"/callback",
	"app.example/callback",
	"",
]) {
	test(`no app may register the redirect address ${JSON.stringify(uri)}`, async () => {
		const response = await scene.app.inject({
			method: "POST",
			url: "/api/v1/oauth/register",
			payload: { redirect_uris: [redirectUri, uri] },
		});
		assert.deepEqual([response.statusCode, response.json().error], [400, "invalid_redirect_uri"]);
	});
}

for (const uri of [
	"https://app.example/callback?tenant=1",
	"https://[2001:db8::1]:8443/callback",
	"http://localhost:33418/",
	"http://127.0.0.1/callback",
	"http://[::1]:9/callback",
	"com.example.app:/callback",
	"cursor://anysphere.cursor-retrieval/oauth/callback",
]) {
	test(`an app may register the redirect address ${uri}, and codes come back there`, async () => {
		const clientId = await registerClient(scene.app, uri);
		const url = await approved(scene, { client_id: clientId, redirect_uri: uri });
		const codeAt = /[?&]code=[^&]+/;
		assert.ok(url.href.startsWith(uri), url.href);
		assert.match(url.href.slice(uri.length), codeAt);
		assert.equal(url.searchParams.get("iss"), publicUrl);
	});
}

test("parameters of the app's own in its address stay, and cannot be doubled by the answer", async () => {
	const uri = "https://app.example/callback?code=mine&state=mine";
	const clientId = await registerClient(scene.app, uri);
	const url = await approved(scene, { client_id: clientId, redirect_uri: uri });
	assert.ok(url.href.startsWith(`${uri}&`));
	assert.equal(url.searchParams.getAll("iss").length, 1);
});

test("the state comes back as it was sent, and is never markup, a fragment or a further parameter", async () => {
	const state = `"><script>alert(1)</script>&code=x#é`;
	const url = await approved(scene, { state });
	assert.equal(url.searchParams.get("state"), state);
	assert.equal(url.searchParams.getAll("code").length, 1);
	assert.equal(url.hash, "");
});

test("a state with line ends is refused, and no header comes of it", async () => {
	const response = await authorize(scene, { state: "x\r\nSet-Cookie: a=b" });
	const url = locationOf(response);
	assert.equal(url.searchParams.get("error"), "invalid_request");
	assert.equal(response.headers["set-cookie"], undefined);
	assert.doesNotMatch(String(response.headers.location), /[\r\n]/);
});

test("a request without state comes back without one", async () => {
	const url = await approved(scene, { state: undefined });
	assert.deepEqual([...url.searchParams.keys()].sort(), ["code", "iss"]);
});

test("faults after the address is known go there, with the issuer, so that an app knows who speaks", async () => {
	for (const [changes, error] of [
		[{ response_type: undefined }, "invalid_request"],
		[{ scope: "analytics:write" }, "invalid_scope"],
		[{ resource: "https://evil.example/mcp" }, "invalid_request"],
	] as const) {
		const url = locationOf(await authorize(scene, changes));
		assert.equal(url.origin + url.pathname, redirectUri);
		assert.deepEqual(
			[url.searchParams.get("error"), url.searchParams.get("iss"), url.searchParams.get("state")],
			[error, publicUrl, "af0ifjsldkj"],
		);
	}
});

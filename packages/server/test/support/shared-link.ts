import assert from "node:assert/strict";
import type { Session } from "./accounts.ts";
import { requestOf } from "./request-of.ts";
import type { TestApp } from "./test-app.ts";

export type Headers = Readonly<Record<string, string>>;

interface MadeLink {
	readonly id: string;
	readonly token: string;
	readonly url: string;
}

export async function makeLink(app: TestApp, by: Session, site: string, input: object = {}): Promise<MadeLink> {
	const body = { name: "For the team", ...input };
	const response = await app.inject(requestOf(`POST /sites/${site}/share-links`, { headers: by.headers, body }));
	assert.equal(response.statusCode, 201, response.body);
	const { id, url } = response.json().data;
	return { id, url, token: url.slice(url.lastIndexOf("/") + 1) };
}

export const open = (app: TestApp, token: string, payload: object = {}, remoteAddress = "203.0.113.7") =>
	app.inject({ method: "POST", url: `/api/v1/share/${token}/session`, payload, remoteAddress });

export async function readerOf(app: TestApp, { token }: Pick<MadeLink, "token">, password?: string): Promise<Headers> {
	const response = await open(app, token, password === undefined ? {} : { password });
	assert.equal(response.statusCode, 200, response.body);
	return { authorization: `Bearer ${response.json().data.access_token}` };
}

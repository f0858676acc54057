import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import { mailbox } from "./mailbox.ts";
import type { TestApp } from "./test-app.ts";

type Fields = Readonly<Record<string, string>>;
type Inject = Pick<TestApp, "inject">["inject"];

/** A browser as far as pages with forms need one: cookies, and the hidden fields of the form that is sent. */
export type PageClient = ReturnType<typeof pageClient>;

export function pageClient(inject: Inject, address = "203.0.113.7") {
	const cookies = new Map<string, string>();
	let page: LightMyRequestResponse | undefined;
	const send: Inject = async (request) => {
		const response = await inject({
			...request,
			headers: { "x-forwarded-for": address, ...request.headers },
			cookies: Object.fromEntries(cookies),
		});
		for (const { name, value } of response.cookies) {
			if (value === "") cookies.delete(name);
			else cookies.set(name, value);
		}
		return response;
	};
	const opened = (): LightMyRequestResponse => page ?? assert.fail("No page is open");
	const open = async (url: string) => {
		page = await send({ method: "GET", url });
		return page;
	};
	/** Sends these fields and no others, and follows nothing. */
	const post = async (action: string, fields: Fields | string, headers: Fields = {}) => {
		page = await send({
			method: "POST",
			url: action,
			headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
			payload: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
		});
		return page;
	};
	return {
		cookies,
		get page() {
			return opened();
		},
		open,
		post,
		/** Sends the form with this address of the open page, and follows a redirect within the service. */
		async submit(action: string, fields: Fields = {}, headers: Fields = {}) {
			const response = await post(action, { ...hiddenFields(opened().body, action), ...fields }, headers);
			const { location } = response.headers;
			return response.statusCode === 303 && location?.startsWith("/") ? open(location) : response;
		},
	};
}

export function hiddenFields(page: string, action: string): Record<string, string> {
	const [, form] = new RegExp(`<form method="post" action="${action}">(.*?)</form>`, "s").exec(page) ?? [];
	if (form === undefined) assert.fail(`The page has no form that goes to ${action}:\n${page}`);
	const fields = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
	return Object.fromEntries([...fields].map(([, name = "", value = ""]) => [name, value]));
}

/** Path and query of the newest link to a page that was mailed to an address. */
export async function mailedLink(app: Pick<TestApp, "jobs" | "config">, address: string, page: string) {
	const links = (await mailbox(app).to(address)).flatMap((mail) => mail.links.map((link) => new URL(link)));
	const { pathname, search } = links.findLast((link) => link.pathname === page) ?? assert.fail("No link was mailed");
	return pathname + search;
}

/** The session that a browser has, for calls of the API. */
export const sessionOf = ({ cookies }: PageClient) => ({ svc_access_token: cookies.get("svc_access_token") ?? "" });

import { createSite, type Session, signIn } from "./accounts.ts";
import { pageviewRow } from "./event-rows.ts";
import { insertRows } from "./oracle-app.ts";
import { dataOf, requestOf } from "./request-of.ts";
import { type TestApp, testApp } from "./test-app.ts";

export type Headers = Readonly<Record<string, string>>;

export async function makeLink(app: TestApp, by: Session, site: string, input: object = {}) {
	const body = { name: "For the team", ...input };
	const made = await dataOf(app, `POST /sites/${site}/share-links`, { headers: by.headers, body });
	const { id, url }: { readonly id: string; readonly url: string } = made;
	return { id, url, token: url.slice(url.lastIndexOf("/") + 1) };
}

export const open = (app: TestApp, token: string, payload: object = {}, remoteAddress = "203.0.113.7") =>
	app.inject({ method: "POST", url: `/api/v1/share/${token}/session`, payload, remoteAddress });

export async function readerOf(app: TestApp, link: { readonly token: string }, password?: string): Promise<Headers> {
	const { access_token: token } = await dataOf(app, `POST /share/${link.token}/session`, { body: { password } });
	return { authorization: `Bearer ${token}` };
}

/** The site and the days that tests of shared links ask about. */
export const lastWeek = "site_id=shop&period=7d";

/** A shop with visits of two countries and sources, the segment `spain`, and those who read it by links. */
export async function sharedShop() {
	const app = await testApp({ now: "2026-11-21T12:00:00.000Z" });
	const ann = await signIn(app);
	await createSite(app, ann);
	await createSite(app, ann, { name: "Second" });
	const ts = Date.parse("2026-11-20T10:00:00Z");
	const visit = (session: string, more: object) =>
		pageviewRow({ site: "shop", ts, session, path: "/", landing_path: "/", entrance: 1, ...more });
	const sale = { kind: "conversion", event_type: "purchase", page_view: 0, conversion: 1, revenue: 10 } as const;
	await insertRows(app.eventStore, [
		visit("1", { country: "ES", utm_source: "google" }),
		visit("2", { country: "ES", utm_source: "bing" }),
		visit("3", { country: "FR", utm_source: "google" }),
		pageviewRow({ ...sale, site: "shop", ts: ts + 1000, session: "1", country: "ES", utm_source: "google" }),
		pageviewRow({ ...sale, site: "shop", ts: ts + 1000, session: "3", country: "FR", utm_source: "google" }),
		visit("4", { site: "second", country: "DE" }),
	]);
	const filters = { conditions: [{ field: "country", operator: "in", value: ["ES"] }] };
	const body = { name: "spain", display_name: "Spain", filters };
	await app.inject(requestOf("POST /segments?account_id=shop", { headers: ann.headers, body }));
	const ask = async (reader: Headers, route: string, payload?: object, remoteAddress = "203.0.113.7") => {
		const response = await app.inject({ ...requestOf(route, { headers: reader, body: payload }), remoteAddress });
		const body = response.body === "" ? {} : response.json();
		return { status: response.statusCode, body, code: body.error?.code };
	};
	return {
		app,
		ann,
		ask,
		/** Visits of the last week, or the status of a refusal. */
		visits: async (reader: Headers, query = ""): Promise<number> => {
			const { status, body } = await ask(reader, `GET /stats/overview?${lastWeek}${query}`);
			return status === 200 ? body.data.traffic.entrances : status;
		},
		link: async (input: object = {}) => {
			const made = await makeLink(app, ann, "shop", input);
			const secret = "password" in input ? String(input.password) : undefined;
			return { ...made, reader: await readerOf(app, made, secret) };
		},
	};
}

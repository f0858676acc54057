import { Type } from "typebox";
import { SHARE_TOKEN_SECONDS } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef, OneOf, Text } from "../../../platform/http/schemas.ts";
import { siteChangeOf } from "../organizations/index.ts";
import { readingSiteAs, writingSite } from "../sites/index.ts";
import {
	ChangeLinkBody,
	CreateLinkBody,
	changeLink,
	createLink,
	List,
	removeLink,
	renewLink,
	ShareLink,
	type ShareLinkDeps,
	seenLinks,
} from "./change-links.ts";
import { openLink } from "./open-link.ts";
import { listsOf, originsOf } from "./store.ts";

const ShareParams = Type.Object({ token: Text(1, 128, { description: "Token of the shared URL" }) });

const OpenLinkBody = Type.Object({
	password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
});

const OpenedLink = Type.Object({
	access_token: Type.String({ description: "Bearer token for the reports of this link" }),
	token_type: OneOf(["bearer"]),
	expires_in: Type.Integer({ description: "Seconds" }),
	site: Type.Object({ id: Type.String(), name: Type.String(), timezone: Type.String(), currency: Type.String() }),
	lists: Type.Array(List),
	may_filter: Type.Boolean(),
	embed_origins: Type.Array(Type.String(), { description: "Origins that may embed the report" }),
});

const tags = ["Shared links"];
const writing = { ...writingSite("admin"), tags };
const reading = { ...readingSiteAs("admin"), tags };
const changing = { ...writing, params: Type.Object({ ...writing.params.properties, link_id: Text(1, 64) }) };

/** Routes on shared links, and the one by which they are opened. */
export function registerShareLinks(app: App, deps: ShareLinkDeps): void {
	addRoute(app, "GET /sites/:id/share-links", {
		...reading,
		summary: "Share links of a site",
		data: Type.Array(ShareLink),
		handler: (request) => seenLinks(deps, request.site.id),
	});
	addRoute(app, "POST /sites/:id/share-links", {
		...writing,
		summary: "Create a share link",
		body: CreateLinkBody,
		status: 201,
		data: ShareLink,
		errors: { 409: { description: "`conflict`: the site has 50 share links", ...ErrorRef } },
		handler: (request) => createLink(deps, siteChangeOf(request), request.body),
	});
	addRoute(app, "PATCH /sites/:id/share-links/:link_id", {
		...changing,
		summary: "Change a share link, or disable it",
		description: "A change ends open reports: their page opens the link again.",
		body: ChangeLinkBody,
		data: ShareLink,
		handler: (request) => changeLink(deps, siteChangeOf(request), request.params.link_id, request.body),
	});
	addRoute(app, "POST /sites/:id/share-links/:link_id/renew", {
		...changing,
		summary: "Give a share link a new URL",
		description: "The old URL shows nothing from now on, on its page and in every frame.",
		data: ShareLink,
		handler: (request) => renewLink(deps, siteChangeOf(request), request.params.link_id),
	});
	addRoute(app, "DELETE /sites/:id/share-links/:link_id", {
		...changing,
		summary: "Remove a share link",
		empty: "Removed",
		handler: (request) => removeLink(deps, siteChangeOf(request), request.params.link_id),
	});
	addRoute(app, "POST /share/:token/session", {
		tags,
		summary: "Open a share link",
		description:
			"Returns a bearer token, valid for 60 minutes, that reads the shared reports of one site and nothing else. It ends when the link is changed, disabled or removed. A link that shows nothing is 404, whatever the reason.",
		params: ShareParams,
		body: OpenLinkBody,
		guard: { kind: "public" },
		data: OpenedLink,
		errors: {
			401: {
				description: "`unauthorized` without the link's password, `invalid_credentials` with a wrong one",
				...ErrorRef,
			},
			403: { description: "`forbidden` from an address that the site's IP allowlist refuses", ...ErrorRef },
			404: { description: "`not_found`", ...ErrorRef },
		},
		handler: async (request) => {
			const { link, bearer } = await openLink(deps, {
				token: request.params.token,
				password: request.body.password,
				ip: request.ip,
				refuseShut: (siteId) => request.refuseShutLink(siteId),
			});
			const { site_id: id, siteName: name, timezone, currency } = link;
			return {
				access_token: bearer,
				token_type: "bearer" as const,
				expires_in: SHARE_TOKEN_SECONDS,
				site: { id, name, timezone, currency },
				lists: listsOf(link),
				may_filter: link.may_filter === 1,
				embed_origins: originsOf(link),
			};
		},
	});
}

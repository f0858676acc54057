import { checkScreens } from "../support/check-screens.ts";
import type { DashboardService } from "../support/open-dashboard.ts";

/** The page of a new link. */
async function linked({ app, ann }: DashboardService, page: "share" | "embed", input: object): Promise<string> {
	const response = await app.inject({
		method: "POST",
		url: "/api/v1/sites/shop/share-links",
		headers: ann.headers,
		payload: { name: "For a partner with a long name", ...input },
	});
	return new URL(response.json().data.url).pathname.replace("share", page);
}

checkScreens(["/sites/empty/settings/sharing", "/sites/shop/settings/sharing"], {
	fill: async (service) => ({
		report: await linked(service, "share", { lists: ["sources", "countries", "hours"], may_filter: true }),
		locked: await linked(service, "share", { password: "open sesame" }),
		framed: await linked(service, "embed", { lists: ["pages", "devices"], embed_origins: ["https://a.example"] }),
	}),
	strangers: ["{report}", "{locked}", "{framed}", "/share/nothing"],
});

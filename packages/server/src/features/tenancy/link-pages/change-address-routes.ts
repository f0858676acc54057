import type { App } from "../../../platform/http/app.ts";
import { showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import { ConfirmAddressBody, confirmAddressChange, lookAtAddressLink } from "../../people/auth/index.ts";
import { changeAddressPage, changeAddressPath, confirmedChangePage, deadChangePage } from "./change-address-pages.ts";
import type { LinkPagesDeps } from "./deps.ts";
import { guard, linkPages, type RefuseVisit } from "./page-routes.ts";
import { refusalPage } from "./refusal.ts";

/** The links by which both addresses confirm that an account is to have another one. */
export function registerChangeAddressPages(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, changeAddressPath);
	const confirm = { url: changeAddressPath, summary: "Confirm a change of an e-mail address", guard };
	const refuse: RefuseVisit = (refusal, { frame, field }) =>
		refusalPage(refusal, {
			labels: {},
			dead: () => deadChangePage,
			form: (trouble) => changeAddressPage(frame, field("token"), trouble),
		});
	showPage(pages, set, { ...confirm, refuse }, async ({ request, frame, field }) => {
		const token = field("token");
		return changeAddressPage(frame, token, { link: await lookAtAddressLink(deps, token, request.ip) });
	});
	takeForm(pages, set, { ...confirm, refuse, body: ConfirmAddressBody }, async ({ request }, { token }) =>
		confirmedChangePage(await confirmAddressChange(deps, token, request.ip), deps.hasDashboard),
	);
}

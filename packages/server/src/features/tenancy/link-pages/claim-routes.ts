import type { App } from "../../../platform/http/app.ts";
import { showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import { clientOf, setSessionCookies } from "../../people/auth/index.ts";
import {
	ClaimBody,
	checkClaimLink,
	claimResendLimits,
	claimSite,
	ResendClaimBody,
	resendClaim,
} from "../provisioning/index.ts";
import { claimDeadPage, claimedPage, claimPage, claimPath, claimResentPage, resendClaimPage } from "./claim-pages.ts";
import type { LinkPagesDeps } from "./deps.ts";
import { guard, leadIn, linkPages, type RefuseVisit, type Visit } from "./page-routes.ts";
import { refusalPage } from "./refusal.ts";

const labels = { name: "The name", password: "The password" };

/** The link by which somebody claims a site that was set up for them, and the one that has its mail sent again. */
export function registerClaimPages(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, claimPath);
	const claim = { url: claimPath, summary: "Claim a site that was set up for somebody", guard };
	const refuse: RefuseVisit = (refusal, { frame, field }) =>
		refusalPage(refusal, {
			labels,
			dead: () => claimDeadPage,
			form: (trouble) => claimPage(frame, field("token"), { name: field("name"), ...trouble }),
		});
	const again: RefuseVisit = (refusal, { frame, field }) =>
		refusalPage(refusal, {
			labels,
			dead: () => claimDeadPage,
			form: (trouble) => resendClaimPage(frame, field("token") || field("resend"), trouble),
		});
	const lookUp: RefuseVisit = (refusal, visit) => (isForResending(visit) ? again : refuse)(refusal, visit);
	showPage(pages, set, { ...claim, refuse: lookUp }, async (visit) => {
		const { request, frame, field } = visit;
		const isResending = isForResending(visit);
		const token = field(isResending ? "resend" : "token");
		await checkClaimLink(deps, isResending ? "provision_claim_resend" : "provision_claim", token, request.ip);
		return isResending ? resendClaimPage(frame, token) : claimPage(frame, token);
	});
	takeForm(pages, set, { ...claim, refuse, body: ClaimBody }, async (visit, body) => {
		const { request, reply } = visit;
		const outcome = await claimSite(deps, body, clientOf(request));
		// A user who has just set the first password has no second factor.
		if (outcome.kind === "challenge")
			throw new Error("A site that nobody had claimed has an owner with a second factor");
		setSessionCookies(reply, outcome.secrets, deps.cookieSecure);
		return leadIn(deps, visit, claimedPage(outcome.user.email));
	});
	const url = `${claimPath}/resend`;
	const resend = { url, summary: "Have the claim mail sent again", guard, limit: claimResendLimits };
	takeForm(pages, set, { ...resend, refuse: again, body: ResendClaimBody }, async ({ request }, { token }) => {
		await resendClaim(deps, token, request.ip);
		return claimResentPage;
	});
}

const isForResending = ({ field }: Visit): boolean => field("resend") !== "";

import { ServiceError } from "../../../platform/errors/service-error.ts";
import { sentence } from "../../../platform/http/pages/form-fields.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { openInvitation } from "../invitations/index.ts";
import type { LinkPagesDeps } from "./deps.ts";
import { type Invited, invitationDeadPage } from "./invitation-pages.ts";
import type { RefuseVisit, Visit } from "./page-routes.ts";

/** A page of an invitation that is open; it tells of a refusal, if there was one. */
export type InvitationPage = (visit: Visit, invited: Invited, refusal?: ServiceError) => Page;

/** The invitation that a page is about; throws as `openInvitation` does. */
export async function invitedBy(deps: LinkPagesDeps, { field }: Visit): Promise<Invited> {
	const token = field("token");
	return { token, ...(await openInvitation(deps.metadata, token, deps.clock.now())) };
}

/** Refusals are told on the page, as long as the invitation is open. */
export const refusingInvitation = (deps: LinkPagesDeps, page: InvitationPage): RefuseVisit =>
	tellingDead(async (refusal, visit) => page(visit, await invitedBy(deps, visit), refusal));

/** Says why an invitation is dead, where the page that tells of a refusal finds none that is open. */
export const tellingDead =
	(refuse: RefuseVisit): RefuseVisit =>
	async (refusal, visit) => {
		try {
			return await refuse(refusal, visit);
		} catch (error) {
			if (!(error instanceof ServiceError) || error.isOurs) throw error;
			return invitationDeadPage(sentence(error.message));
		}
	};

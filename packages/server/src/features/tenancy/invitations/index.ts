export {
	acceptAsUser,
	acceptInvitation,
	type OpenInvitation,
	openInvitation,
	signInAccepted,
} from "./accept-invitation.ts";
export { endInvitationsOf } from "./change-invitation.ts";
export { acceptLimit, registerInvitations } from "./routes.ts";
export { AcceptBody, AcceptExistingBody } from "./schemas.ts";
export { dropEndedInvitations } from "./store.ts";

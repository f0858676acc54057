export {
	acceptAsUser,
	acceptInvitation,
	type OpenInvitation,
	openInvitation,
	signInAccepted,
} from "./accept-invitation.ts";
export { endInvitationsOf } from "./change-invitation.ts";
export { AcceptBody, AcceptExistingBody, acceptLimit, registerInvitations } from "./routes.ts";
export { dropEndedInvitations } from "./store.ts";

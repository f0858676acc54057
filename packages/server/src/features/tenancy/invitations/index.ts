export { acceptAsUser, acceptInvitation } from "./accept-invitation.ts";
export { acceptLimit } from "./answer-routes.ts";
export { endInvitationsOf } from "./change-invitation.ts";
export { type OpenInvitation, openInvitation } from "./open-invitation.ts";
export { registerInvitations } from "./routes.ts";
export { AcceptBody, AcceptExistingBody } from "./schemas.ts";
export { signInAccepted } from "./sign-in-accepted.ts";
export { dropEndedInvitations } from "./store.ts";

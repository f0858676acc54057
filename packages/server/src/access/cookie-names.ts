/** The cookies of a session. */
export const cookieNames = {
	access: "svc_access_token",
	refresh: "svc_refresh_token",
	csrf: "svc_csrf_token",
} as const;
